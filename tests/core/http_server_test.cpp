#include "core/http/http_server.h"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>

#include "core/base/error.h"
#include "tests/http.h"

using namespace tabula;

TEST_CASE("pages are made anew for each request, others are not there") {
  std::atomic<int> asked = 0;
  const HttpServer server(
      "127.0.0.1:0",
      {{"/count", {"text/plain", [&] { return "asked " + std::to_string(++asked); }}},
       {"/fails", {"text/plain", []() -> std::string { throw std::runtime_error("no"); }}}});
  REQUIRE(server.port() > 0);
  CHECK(http_get(server.port(), "/count").ends_with("asked 1"));
  CHECK(http_get(server.port(), "/count").ends_with("asked 2"));
  CHECK(http_get(server.port(), "/count").starts_with("HTTP/1.1 200 "));
  CHECK(http_get(server.port(), "/none").starts_with("HTTP/1.1 404 "));
  CHECK(http_get(server.port(), "/fails").starts_with("HTTP/1.1 500 "));
  CHECK(!http_get(server.port(), "/fails").ends_with("no"));
}

TEST_CASE("nonsense on the line harms nobody") {
  const HttpServer server("127.0.0.1:0", {{"/", {"text/plain", [] { return "here"; }}}});
  for (const std::string& said :
       {std::string("\0\0\0\0\r\n\r\n", 8), std::string(100'000, 'A'),
        std::string("POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n"),
        std::string("GET /../../etc/passwd HTTP/1.0\r\n\r\n")})
    CHECK(!http_say(server.port(), said, true).ends_with("here"));
  CHECK(http_get(server.port(), "/").ends_with("here"));
}

TEST_CASE("an address that cannot be is refused with a sentence") {
  for (const char* address : {"", "7711", "localhost", ":", "127.0.0.1:x", "127.0.0.1:70000"})
    CHECK_THROWS_AS(HttpServer(address, {}), Error);
  const HttpServer first("127.0.0.1:0", {});
  CHECK_THROWS_AS(HttpServer("127.0.0.1:" + std::to_string(first.port()), {}), Error);
}
