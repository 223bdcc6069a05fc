#include "core/data/zstd_frame.h"

#include <zstd.h>

#include <memory>
#include <new>

#include "core/base/error.h"

namespace tabula {
namespace {

constexpr int kLevel = 3;
// RFC 8878, section 3.1.1. Frames to be skipped and those of old formats begin otherwise.
constexpr std::string_view kMagic = "\x28\xb5\x2f\xfd";
constexpr std::size_t kDescriptor = 4;  // comes next
constexpr unsigned kChecksumFlag = 4, kDictionaryFlags = 3;

struct Free {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

// Contexts are large and slow to make, so each thread keeps one.
ZSTD_CCtx& compressor() {
  thread_local const std::unique_ptr<ZSTD_CCtx, Free> context(ZSTD_createCCtx());
  if (!context) throw std::bad_alloc();
  return *context;
}

ZSTD_DCtx& decompressor() {
  thread_local const std::unique_ptr<ZSTD_DCtx, Free> context(ZSTD_createDCtx());
  if (!context) throw std::bad_alloc();
  return *context;
}

std::size_t checked(std::size_t returned) {
  if (ZSTD_isError(returned)) throw Error(std::string("zstd says: ") + ZSTD_getErrorName(returned));
  return returned;
}

std::size_t declared_size(std::string_view frame, std::size_t max_bytes) {
  const unsigned long long size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || !frame.starts_with(kMagic))
    throw Error("it is not a zstd frame");
  if (size == ZSTD_CONTENTSIZE_UNKNOWN) throw Error("its frame does not declare a size");
  if (size > max_bytes)
    throw Error("its frame declares " + std::to_string(size) + " bytes, more than " +
                std::to_string(max_bytes));
  const unsigned flags = std::uint8_t(frame[kDescriptor]);
  if (!(flags & kChecksumFlag)) throw Error("its frame has no checksum");
  if (flags & kDictionaryFlags) throw Error("its frame needs a dictionary");
  if (checked(ZSTD_findFrameCompressedSize(frame.data(), frame.size())) != frame.size())
    throw Error("something follows its frame");
  return std::size_t(size);
}

}  // namespace

std::string zstd_frame(std::string_view content) {
  ZSTD_CCtx& context = compressor();
  checked(ZSTD_CCtx_setParameter(&context, ZSTD_c_compressionLevel, kLevel));
  checked(ZSTD_CCtx_setParameter(&context, ZSTD_c_checksumFlag, 1));
  std::string frame(ZSTD_compressBound(content.size()), '\0');
  frame.resize(checked(
      ZSTD_compress2(&context, frame.data(), frame.size(), content.data(), content.size())));
  return frame;
}

std::string zstd_content(std::string_view frame, std::size_t max_bytes) {
  std::string content(declared_size(frame, max_bytes), '\0');
  const std::size_t size = checked(ZSTD_decompressDCtx(&decompressor(), content.data(),
                                                       content.size(), frame.data(), frame.size()));
  if (size != content.size()) throw Error("its frame holds less than it declares");
  return content;
}

}  // namespace tabula
