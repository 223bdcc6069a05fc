// A client of HTTP, byte by byte, for tests.
#pragma once
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>

namespace tabula {

// Says this to a port of this machine, and returns all that comes back. Hung up: it will not say
// more, and does not wait for the server to lose patience.
inline std::string http_say(int port, const std::string& said, bool hang_up) {
  const int line = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(std::uint16_t(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::string answer;
  if (connect(line, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) {
    (void)send(line, said.data(), said.size(), MSG_NOSIGNAL);
    if (hang_up) shutdown(line, SHUT_WR);
    char room[4096];
    for (ssize_t size = 0; (size = read(line, room, sizeof room)) > 0;)
      answer.append(room, std::size_t(size));
  }
  close(line);
  return answer;
}

// The answer's head and body.
inline std::string http_get(int port, const std::string& path) {
  return http_say(port, "GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", false);
}

}  // namespace tabula
