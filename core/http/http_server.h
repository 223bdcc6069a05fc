#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace tabula {

// What a GET of a path answers, made anew each time, on any thread.
struct HttpPage {
  std::string type;
  std::function<std::string()> text;
};

// A small server of pages to read: nothing that is sent to it is looked at but the path.
class HttpServer {
 public:
  // HOST:PORT, where port 0 is any that is free. Throws Error if it cannot listen there.
  HttpServer(const std::string& address, const std::map<std::string, HttpPage>& pages);
  ~HttpServer();

  int port() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tabula
