#pragma once
#include <c10/core/Device.h>

#include <string>

namespace tabula {

// auto: the first GPU if there is one. Throws Error for a device that is not there.
c10::Device device_named(const std::string& name);

}  // namespace tabula
