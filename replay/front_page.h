// The store's page for people: it asks /status every two seconds and shows it.
#pragma once

namespace tabula {

inline constexpr const char* kFrontPage = R"html(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tabula</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
  h1 { font-size: 1.5rem; margin: 0; }
  table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
  td { padding: .35rem 0; border-bottom: 1px solid #8884; }
  td:last-child { text-align: right; font-variant-numeric: tabular-nums; }
  #state { color: #888; }
  #trouble { color: #c33; font-weight: 600; }
</style>
<h1 id="game">Tabula</h1>
<div id="state" role="status">asking the store</div>
<div id="trouble" role="alert"></div>
<table><tbody id="figures"></tbody></table>
<p><a href="/status">as JSON</a>, <a href="/metrics">for Prometheus</a></p>
<script>
const whole = new Intl.NumberFormat('en')
const put = (id, text) => { document.getElementById(id).textContent = text }
const rate = { games: 0, time: 0, text: '' }
function rows(s) {
  const { pace, totals, running } = s
  const now = Date.now()
  if (rate.time && now - rate.time > 900)
    rate.text = ((totals.seen_games - rate.games) / (now - rate.time) * 1000).toFixed(1)
  rate.games = totals.seen_games
  rate.time = now
  return [
    ['games', whole.format(totals.seen_games)],
    ['games a second', rate.text],
    ['searched positions', whole.format(totals.seen_positions)],
    ['games kept', `${whole.format(totals.games)} (${whole.format(Math.round(totals.bytes / 1e6))} MB)`],
    ['refused games', whole.format(totals.quarantined)],
    ['champion', s.champion ? s.champion.slice(0, 12) : 'none yet'],
    ['running', Object.entries(running).map(([name, n]) => `${n} ${name}`).join(', ') || 'nobody'],
    ['reuse of positions', `${pace.reuse.toFixed(2)} of ${pace.reuse_target.toFixed(1)}`],
    ['the trainer waits', `${Math.round(100 * pace.trainer_waiting)} %`],
    ['workers that play', whole.format(pace.workers)],
    ['workers that would keep the trainer busy', whole.format(pace.wanted_workers)],
  ]
}
async function ask() {
  try {
    const s = await (await fetch('/status')).json()
    put('game', s.game)
    put('state', 'as of ' + new Date().toLocaleTimeString())
    put('trouble', s.trouble)
    document.getElementById('figures').replaceChildren(...rows(s).map((cells) => {
      const row = document.createElement('tr')
      for (const text of cells) row.insertCell().textContent = text
      return row
    }))
  } catch {
    put('state', 'the store does not answer; asking again')
  }
  setTimeout(ask, 2000)
}
ask()
</script>
</html>
)html";

}  // namespace tabula
