#pragma once
#include <atomic>

namespace tabula {

// Every operator new of the test program and of the plugins it loads (allocations.cpp).
extern std::atomic<long> allocations;

}  // namespace tabula
