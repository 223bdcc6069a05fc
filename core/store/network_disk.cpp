#include "core/store/network_disk.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace tabula {
namespace {

constexpr struct {
  unsigned long magic;  // linux/magic.h, and of those that are not in it
  const char* name;
} kMagic[] = {
    {0x6969, "NFS"},       {0x517b, "SMB"},        {0xff534d42, "CIFS"},  {0xfe534d42, "SMB"},
    {0x01021997, "9p"},    {0x0bd00bd0, "Lustre"}, {0x00c36400, "Ceph"},  {0x5346414f, "AFS"},
    {0x6b414653, "AFS"},   {0x73757245, "Coda"},   {0x47504653, "GPFS"},  {0x19830326, "BeeGFS"},
    {0x7461636f, "OCFS2"}, {0x01161970, "GFS2"},   {0x20030528, "PVFS2"}, {0xaad7aaea, "PanFS"}};
constexpr unsigned long kFuse = 0x65735546;

// FUSE serves local disks too: then the type of the mount tells.
constexpr std::string_view kFuseTypes[] = {"sshfs",   "glusterfs", "ceph",      "s3fs",
                                           "rclone",  "davfs",     "curlftpfs", "gcsfuse",
                                           "juicefs", "mount-s3",  "moosefs"};

// The type of the mount with this device, from /proc/self/mountinfo: "... major:minor ... - TYPE".
std::string mount_type(dev_t device) {
  const std::string wanted = std::to_string(major(device)) + ":" + std::to_string(minor(device));
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream words(line);
    std::string id, parent, number, word;
    words >> id >> parent >> number;
    if (number != wanted) continue;
    while (words >> word && word != "-") {}
    if (words >> word) return word;
  }
  return "";
}

}  // namespace

std::string network_disk(unsigned long magic, std::string_view type) {
  const auto* known = std::ranges::find_if(kMagic, [&](auto& one) { return one.magic == magic; });
  if (known != std::end(kMagic)) return known->name;
  if (magic != kFuse) return "";
  const bool remote = std::ranges::any_of(
      kFuseTypes, [&](std::string_view one) { return type.find(one) != type.npos; });
  return remote ? std::string(type) : "";
}

std::string network_disk(const std::filesystem::path& folder) {
  struct statfs disk {};
  struct stat status {};
  if (statfs(folder.c_str(), &disk) != 0 || stat(folder.c_str(), &status) != 0) return "";
  const auto magic = static_cast<unsigned long>(disk.f_type) & 0xffffffff;
  return network_disk(magic, magic == kFuse ? mount_type(status.st_dev) : "");
}

}  // namespace tabula
