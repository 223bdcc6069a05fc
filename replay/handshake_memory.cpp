// ZeroMQ keeps the secrets of a handshake in memory with guard pages of libsodium's: a dozen calls
// of the system for each, and all threads of the process wait for each other in them. When
// thousands of workers come at once that is a third of the work (10,000 greeted in 9 s instead of
// 12). Whoever can read this process has its key anyway, so here such memory is ordinary, and
// wiped.
//
// The linker exports these three, so that ZeroMQ finds them before libsodium's.
#include <string.h>  // explicit_bzero

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace {
constexpr std::size_t kHead = alignof(std::max_align_t);  // holds the size
}

extern "C" {

void* sodium_malloc(std::size_t size) {
  auto* head = static_cast<unsigned char*>(std::malloc(kHead + size));
  if (!head) return nullptr;
  std::memcpy(head, &size, sizeof size);
  return head + kHead;
}

void* sodium_allocarray(std::size_t count, std::size_t size) {
  return size > 0 && count > (SIZE_MAX - kHead) / size ? nullptr : sodium_malloc(count * size);
}

void sodium_free(void* memory) {
  if (!memory) return;
  unsigned char* head = static_cast<unsigned char*>(memory) - kHead;
  std::size_t size;
  std::memcpy(&size, head, sizeof size);
  explicit_bzero(memory, size);
  std::free(head);
}
}
