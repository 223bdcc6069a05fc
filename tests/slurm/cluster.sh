# A Slurm cluster of three nodes on this machine; sourced. `begin_cluster DIR` starts it, `end_cluster` ends it.
begin_cluster() {
  slurm=$1
  rm -rf "$slurm"
  mkdir -p "$slurm"/{state,spool,munge,log}
  chmod 700 "$slurm/munge"
  dd if=/dev/urandom of="$slurm/munge/key" bs=128 count=1 status=none
  chmod 600 "$slurm/munge/key"
  local host cores memory
  host=$(hostname) cores=$(nproc) memory=2000
  munged --force --key-file="$slurm/munge/key" --socket="$slurm/munge/socket" --pid-file="$slurm/munge/pid" \
    --log-file="$slurm/munge/log" --seed-file="$slurm/munge/seed" --origin=127.0.0.1
  cat >"$slurm/slurm.conf" <<END
ClusterName=tabula
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=17817
AuthType=auth/munge
AuthInfo=socket=$slurm/munge/socket
CredType=cred/munge
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool/%n
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd-%n.pid
SlurmctldLogFile=$slurm/log/slurmctld
SlurmdLogFile=$slurm/log/slurmd-%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SlurmdParameters=config_overrides
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=bf_interval=2,sched_interval=2,requeue_delay=0
SlurmdTimeout=10
SlurmctldTimeout=10
InactiveLimit=0
KillWait=20
ReturnToService=2
JobRequeue=1
PropagateResourceLimits=NONE
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=17821 CPUs=2 RealMemory=$memory
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=17822 CPUs=2 RealMemory=$memory
NodeName=n3 NodeHostname=$host NodeAddr=127.0.0.1 Port=17823 CPUs=2 RealMemory=$memory
PartitionName=all Nodes=n1,n2,n3 Default=YES MaxTime=INFINITE State=UP OverSubscribe=YES
END
  export SLURM_CONF=$slurm/slurm.conf
  slurmctld
  for node in n1 n2 n3; do begin_node $node; done
}
begin_node() { slurmd -N "$1"; }
# Who was started with a setting, such as SLURMD_NODENAME=n1, in this cluster.
started_with() {
  local file
  for file in $(grep -lzxF "SLURM_CONF=$slurm/slurm.conf" /proc/[0-9]*/environ 2>/dev/null); do
    if grep -qzxF "$1" "$file" 2>/dev/null; then basename "$(dirname "$file")"; fi
  done
}
# kill -9 of a node: its daemon and all that it runs.
lose_node() {
  local pids pid
  pids=$(started_with "SLURMD_NODENAME=$1")
  kill -KILL "$(cat "$slurm/slurmd-$1.pid")"
  for pid in $pids; do
    kill -KILL "$(ps -o ppid= -p "$pid" | tr -d ' ')" "$pid" 2>/dev/null || true  # its slurmstepd too
  done
}
end_cluster() {
  [[ -n ${slurm:-} ]] || return 0
  local pid
  scancel --user="$(id -un)" >/dev/null 2>&1 || true
  sleep 1
  for pid in "$slurm"/slurmd-*.pid "$slurm"/slurmctld.pid "$slurm"/munge/pid; do
    [[ ! -f $pid ]] || kill "$(cat "$pid")" 2>/dev/null || true
  done
  sleep 1
  # What is left, but for whoever runs this.
  for pid in $(started_with "SLURM_CONF=$slurm/slurm.conf"); do
    case $(cat "/proc/$pid/comm" 2>/dev/null) in
      slurm* | selfplay | tabula | replay | trainer | arena | srun) kill -KILL "$pid" 2>/dev/null || true ;;
    esac
  done
}
