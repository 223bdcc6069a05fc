#pragma once
#include <string>
#include <string_view>

namespace tabula {

// One zstd frame that declares how large its content is and carries a checksum of it. The frame
// depends on the version of the library, its content does not.
std::string zstd_frame(std::string_view content);

// Its content. Throws Error unless these bytes are one such frame whose content is at most
// `max_bytes`; allocates what the frame declares, and no more than that.
std::string zstd_content(std::string_view frame, std::size_t max_bytes);

}  // namespace tabula
