#include "replay/pages.h"

#include "core/report/prometheus.h"
#include "replay/front_page.h"

namespace tabula {

std::string metrics_of(const ServiceSummary& summary) {
  const Totals& totals = summary.totals;
  const PaceReport& pace = summary.pace;
  PrometheusText text;
  text.counter("tabula_games_total", "Games that were stored.", double(totals.seen_games))
      .counter("tabula_positions_total", "Searched positions of them.",
               double(totals.seen_positions))
      .counter("tabula_quarantined_total", "Games that were refused.", double(totals.quarantined))
      .counter("tabula_refused_clients_total", "Times that a client was not let in.",
               double(summary.refused))
      .gauge("tabula_memory_bytes", "Bytes of the store that are in memory.", 1e6 * summary.memory)
      .gauge("tabula_games", "Games that are kept.", double(totals.games))
      .gauge("tabula_bytes", "Bytes of them.", double(totals.bytes))
      .gauge("tabula_unwritten_games", "Games that wait to be written.", double(summary.waiting))
      .gauge("tabula_disk_trouble", "Whether the disk refused the last write.",
             summary.trouble.empty() ? 0 : 1)
      .gauge("tabula_never_finished_ratio", "Share of games that nobody finished.",
             summary.never_finished())
      .gauge("tabula_reuse", "How often the trainer used each position so far.", pace.reuse)
      .gauge("tabula_reuse_target", "How often it is to use each.", pace.reuse_target)
      .gauge("tabula_trainer_waiting_ratio", "Share of its time in which it waits for games.",
             pace.waiting)
      .gauge("tabula_trainer_samples_per_second", "Positions that training uses.",
             pace.samples_per_second)
      .gauge("tabula_selfplay_plies_per_second", "Moves of all workers.", pace.plies_per_second)
      .gauge("tabula_selfplay_plies_per_worker", "Moves of a worker in a second, on average.",
             summary.plies_per_worker)
      .gauge("tabula_wanted_workers", "Workers that would keep the trainer busy at its target.",
             summary.wanted_workers);
  for (const auto& [program, count] : summary.programs)
    text.gauge("tabula_running", "Programs that were heard of lately.", count, "program", program);
  return text.text();
}

std::map<std::string, HttpPage> pages_of(const Server& server) {
  return {{"/", {"text/html; charset=utf-8", [] { return std::string(kFrontPage); }}},
          {"/metrics",
           {"text/plain; version=0.0.4", [&server] { return metrics_of(server.summary()); }}},
          {"/status", {"application/json", [&server] { return server.summary().json() + "\n"; }}}};
}

}  // namespace tabula
