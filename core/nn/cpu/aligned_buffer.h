#pragma once
#include <algorithm>
#include <memory>
#include <new>

namespace tabula {

// Zeros that begin with a cache line: loads that straddle lines cost kernels a factor of two.
template <class T>
class AlignedBuffer {
 public:
  explicit AlignedBuffer(std::size_t size) : size_(size) {
    data_.reset(static_cast<T*>(::operator new[](size * sizeof(T), std::align_val_t(64))));
    std::fill_n(data_.get(), size, T(0));
  }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  std::size_t size() const { return size_; }

 private:
  struct Free {
    void operator()(T* p) const { ::operator delete[](p, std::align_val_t(64)); }
  };
  std::unique_ptr<T[], Free> data_;
  std::size_t size_;
};

}  // namespace tabula
