#pragma once
#include <vector>

namespace tabula {

// Examples side by side, row by row, as a training step takes them.
struct TrainingBatch {
  int rows = 0;
  std::vector<float> planes;        // rows x planes x cells
  std::vector<float> legal;         // rows x actions: 1 where a move is legal, else 0
  std::vector<float> policy;        // rows x actions: what the search wants; sums to 1
  std::vector<float> reply;         // rows x actions: the same of the opponent's next move
  std::vector<float> wdl;           // rows x 3, as the mover sees it; sums to 1
  std::vector<float> moves_left;    // rows: plies until the end
  std::vector<float> policy_share;  // rows: weight of the policy; 0: there is no target
  std::vector<float> reply_share;   // rows: of the reply
};

}  // namespace tabula
