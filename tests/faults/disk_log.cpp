#include "tests/faults/disk_log.h"

#include <cstring>
#include <string_view>

#include "core/base/error.h"
#include "core/base/files.h"

namespace tabula {
namespace {

struct Record {
  std::uint32_t op, path_size, to_size, data_size;
  std::uint64_t file, offset;
};

std::string taken(std::string_view& bytes, std::size_t size) {
  if (bytes.size() < size) throw Error("the log of the disk ends within a record.");
  const std::string part(bytes.substr(0, size));
  bytes.remove_prefix(size);
  return part;
}

}  // namespace

std::vector<DiskOp> read_disk_log(const std::filesystem::path& file) {
  const std::string content = read_file(file, std::uint64_t{1} << 32);
  std::vector<DiskOp> ops;
  for (std::string_view bytes = content; !bytes.empty();) {
    Record record;
    std::memcpy(&record, taken(bytes, sizeof record).data(), sizeof record);
    DiskOp op{DiskOp::Kind(record.op), record.file, record.offset, {}, {}, {}};
    op.path = taken(bytes, record.path_size);
    op.to = taken(bytes, record.to_size);
    op.data = taken(bytes, record.data_size);
    ops.push_back(std::move(op));
  }
  return ops;
}

}  // namespace tabula
