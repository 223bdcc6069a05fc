#pragma once
#include <vector>

namespace tabula {

// Examples side by side, row by row, as a training step takes them. A share is the weight of a
// target in its mean over the batch; 0 means that there is none.
struct TrainingBatch {
  int rows = 0;
  std::vector<float> planes;         // rows x planes x cells
  std::vector<float> legal;          // rows x actions: 1 where a move is legal
  std::vector<float> policy, reply;  // rows x actions: of this move, of the answer
  std::vector<float> wdl;            // rows x 3, as the mover sees it
  std::vector<float> moves_left;     // rows: plies until the end
  std::vector<float> policy_share, reply_share, moves_left_share;  // rows

  void clear();  // keeps the memory
};

}  // namespace tabula
