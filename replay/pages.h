#pragma once
#include <map>
#include <string>

#include "core/http/http_server.h"
#include "core/service/server.h"

namespace tabula {

// What a store tells over HTTP: a page for people, /metrics for Prometheus, /status as JSON for
// autoscalers.
std::map<std::string, HttpPage> pages_of(const Server& server);

std::string metrics_of(const ServiceSummary& summary);

}  // namespace tabula
