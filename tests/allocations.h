#pragma once
#include <atomic>
#include <cstddef>

namespace tabula {

// Every operator new of the test program and of the plugins it loads (allocations.cpp).
extern std::atomic<long> allocations;
extern std::atomic<std::size_t> largest_allocation;  // in bytes; a test may set it back to 0

}  // namespace tabula
