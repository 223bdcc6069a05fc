#include "tests/allocations.h"

#include <cstdlib>
#include <new>

std::atomic<long> tabula::allocations = 0;
std::atomic<std::size_t> tabula::largest_allocation = 0;

static void count(std::size_t size) {
  ++tabula::allocations;
  auto& largest = tabula::largest_allocation;
  std::size_t before = largest;
  while (before < size && !largest.compare_exchange_weak(before, size)) continue;
}

void* operator new(std::size_t size) {
  count(size);
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
// Ours too, or a sanitizer sees its own memory freed by us (std::stable_sort asks this way).
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  count(size);
  return std::malloc(size);
}
void* operator new(std::size_t size, std::align_val_t align) {
  count(size);
  const auto to = std::size_t(align);
  if (void* memory = std::aligned_alloc(to, (size + to - 1) / to * to)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
