#pragma once

namespace tabula {

// Megabytes of this process that are in memory now; 0 if the system does not tell.
double resident_megabytes();

}  // namespace tabula
