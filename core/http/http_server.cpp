#include "core/http/http_server.h"

#include <httplib.h>

#include <charconv>
#include <thread>

#include "core/base/error.h"

namespace tabula {
namespace {

constexpr int kThreads = 4, kTimeoutSeconds = 5, kMostRequests = 100;  // of a connection
constexpr std::size_t kMostBody = 1024;

struct Address {
  std::string host;
  int port = -1;
};

Address parse(const std::string& text) {
  Address address;
  const std::size_t colon = text.rfind(':');
  if (colon != text.npos) {
    address.host = text.substr(0, colon);
    const char *from = text.data() + colon + 1, *to = text.data() + text.size();
    const auto [end, error] = std::from_chars(from, to, address.port);
    if (error != std::errc() || end != to) address.port = -1;
  }
  if (address.host == "*") address.host = "0.0.0.0";
  if (address.host.empty() || address.port < 0 || address.port > 65535)
    throw Error("'" + text + "' is no HOST:PORT; an example is 127.0.0.1:7711.");
  return address;
}

}  // namespace

struct HttpServer::Impl {
  httplib::Server server;
  int port = 0;
  std::thread thread;
};

HttpServer::HttpServer(const std::string& text, const std::map<std::string, HttpPage>& pages)
    : impl_(std::make_unique<Impl>()) {
  const Address address = parse(text);
  httplib::Server& server = impl_->server;
  server.new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
  // By default a second server would silently share the port.
  server.set_socket_options([](socket_t socket) {
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  server.set_read_timeout(kTimeoutSeconds);
  server.set_write_timeout(kTimeoutSeconds);
  server.set_keep_alive_max_count(kMostRequests);
  server.set_payload_max_length(kMostBody);
  for (const auto& [path, page] : pages)
    server.Get(path, [page = page](const httplib::Request&, httplib::Response& answer) {
      answer.set_content(page.text(), page.type.c_str());
    });
  server.set_error_handler([](const httplib::Request&, httplib::Response& answer) {
    if (answer.body.empty())
      answer.set_content(answer.status == 404 ? "there is no such page\n" : "this went wrong\n",
                         "text/plain");
  });
  impl_->port = address.port == 0 ? server.bind_to_any_port(address.host.c_str())
                : server.bind_to_port(address.host.c_str(), address.port) ? address.port
                                                                          : -1;
  if (impl_->port < 0)
    throw Error("cannot serve pages at " + text + "; is the port taken, or the host another's?");
  impl_->thread = std::thread([&server] { server.listen_after_bind(); });
}

HttpServer::~HttpServer() {
  while (!impl_->server.is_running() && impl_->thread.joinable()) std::this_thread::yield();
  impl_->server.stop();
  impl_->thread.join();
}

int HttpServer::port() const { return impl_->port; }

}  // namespace tabula
