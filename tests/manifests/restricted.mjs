// restricted.mjs FILE ...: the rules of pod security "restricted", and ours: limits, probes, no secret in an
// environment.
import fs from 'node:fs'
import yaml from 'yaml'

const complaints = []
let pods = 0
for (const file of process.argv.slice(2)) {
  for (const document of yaml.parseAllDocuments(fs.readFileSync(file, 'utf8'))) {
    const object = document.toJS()
    if (!object) continue
    const templates = object.kind === 'WorkflowTemplate'
      ? object.spec.templates.filter((t) => t.container)
        .map((t) => ({ ...object.spec, containers: [t.container] }))
      : object.spec && object.spec.template ? [object.spec.template.spec] : []
    for (const pod of templates) {
      ++pods
      const name = `${file}: ${object.kind} ${object.metadata.name}`
      const want = (holds, what) => { if (!holds) complaints.push(`${name}: ${what}`) }
      const context = pod.securityContext || {}
      want(context.runAsNonRoot === true && context.runAsUser > 0, 'may run as root')
      want((context.seccompProfile || {}).type === 'RuntimeDefault', 'has no seccomp profile')
      for (const container of [...pod.containers, ...(pod.initContainers || [])]) {
        const own = container.securityContext || {}
        const named = (what) => `container ${container.name}: ${what}`
        want(own.allowPrivilegeEscalation === false, named('may gain rights'))
        want(own.readOnlyRootFilesystem === true, named('writes to its root'))
        want(((own.capabilities || {}).drop || []).includes('ALL'), named('keeps capabilities'))
        want((container.resources || {}).requests, named('requests nothing'))
        want(((container.resources || {}).limits || {}).memory, named('has no limit of memory'))
        for (const variable of container.env || [])
          want(!(variable.valueFrom || {}).secretKeyRef, named('has a secret in its environment'))
        const program = ['replay', 'selfplay', 'trainer', 'arena'].includes(container.name)
        want(!program || (container.readinessProbe && container.livenessProbe && container.startupProbe),
          named('lacks a probe'))
      }
      for (const volume of pod.volumes || []) want(!volume.hostPath, 'mounts a folder of the host')
    }
  }
}
for (const complaint of complaints) console.error(complaint)
if (complaints.length > 0 || pods === 0) process.exit(1)
console.log(`${pods} pods keep the rules`)
