#pragma once
#include "core/wire/keys.h"
#include "core/wire/messages.h"

namespace tabula {

// What a role may ask for.
constexpr bool may(Role role, MessageType type) {
  switch (type) {
    case MessageType::hello:
    case MessageType::read:
    case MessageType::models:
    case MessageType::fetch:
    case MessageType::ask_champion:
    case MessageType::matches:
    case MessageType::reports:
    case MessageType::ask_status:
      return true;
    case MessageType::beat:
      return role != Role::viewer;
    case MessageType::append:
    case MessageType::take_adjourned:
      return role == Role::worker || role == Role::admin;
    case MessageType::publish:
      return role == Role::trainer || role == Role::admin;
    case MessageType::promote:
    case MessageType::open_match:
    case MessageType::slot:
    case MessageType::report:
    case MessageType::decide:
      return role == Role::arena || role == Role::admin;
    case MessageType::drop:
      return role == Role::admin;
    default:
      return false;
  }
}

}  // namespace tabula
