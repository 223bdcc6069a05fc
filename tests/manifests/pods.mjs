// pods.mjs FILE ...                          the pods and what they need, as podman can play them
// pods.mjs --probe KIND CONTAINER FILE       a probe's command, a word a line
// pods.mjs --step NAME SEED FILE [P=V ...]   a step of an Argo template, as a shell script
import fs from 'node:fs'
import yaml from 'yaml'

const read = (file) => yaml.parseAllDocuments(fs.readFileSync(file, 'utf8')).map((d) => d.toJS()).filter((o) => o)
const args = process.argv.slice(2)

function probe([kind, name, file]) {
  for (const object of read(file))
    for (const container of object.spec?.template?.spec.containers ?? [])
      if (container.name === name) return console.log(container[kind].exec.command.join('\n'))
  throw new Error(`no container ${name}`)
}

// What Argo would put into the step's pod: parameters filled in, the environment, the script.
function step([name, seed, file, ...given]) {
  const [{ spec }] = read(file)
  const parameters = Object.fromEntries(spec.arguments.parameters.map((p) => [p.name, p.value]))
  for (const pair of given) {
    const [key, ...value] = pair.split('=')
    if (!(key in parameters)) throw new Error(`no parameter ${key}`)
    parameters[key] = value.join('=')
  }
  const task = spec.templates.flatMap((t) => t.dag?.tasks ?? []).find((t) => t.name === name)
  const template = spec.templates.find((t) => t.name === task.template)
  const inputs = Object.fromEntries(task.arguments.parameters.map((p) => [p.name, p.value]))
  inputs.seed = seed
  const filled = (text) => text.replace(/\{\{([^}]*)\}\}/g, (all, path) => {
    const [where, , key] = path.split('.').length === 3 ? path.split('.') : [path]
    const value = { workflow: parameters, inputs }[where]?.[key]
    if (value === undefined) throw new Error(`nothing fills in ${all}`)
    return value
  })
  const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`
  for (const { name: key, value } of template.container.env) console.log(`export ${key}=${quoted(filled(value))}`)
  if (template.container.command.join(' ') !== 'sh -ec') throw new Error('the step has another shell')
  console.log('set -e')
  console.log(filled(template.container.args[0]))
}

function play(files) {
  const objects = files.flatMap(read)
  const out = []
  for (const object of objects) {
    delete object.metadata.namespace
    const pod = object.spec?.template?.spec
    for (const container of pod?.containers ?? []) {
      container.imagePullPolicy = 'Never'
      container.image = `localhost/${container.image}:latest`
    }
    if (object.kind === 'StatefulSet') {
      for (const claim of object.spec.volumeClaimTemplates) {
        const claimName = `${claim.metadata.name}-${object.metadata.name}-0`
        out.push({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: claimName }, spec: claim.spec })
        pod.volumes.push({ name: claim.metadata.name, persistentVolumeClaim: { claimName } })
      }
      for (const container of pod.containers)
        for (const variable of container.env ?? [])
          if (variable.valueFrom) { variable.value = '0'; delete variable.valueFrom }
      out.push({ apiVersion: 'v1', kind: 'Pod', spec: pod,
        metadata: { name: object.metadata.name, labels: object.spec.template.metadata.labels } })
    } else if (object.kind === 'ConfigMap') {
      object.data.GAME = 'tictactoe'
      out.unshift(object)
    } else if (object.kind === 'Secret') {
      out.unshift(object)
    } else if (object.kind === 'Deployment') {
      object.spec.replicas = 1  // podman gives all of them one scratch folder
      out.push(object)
    }
  }
  for (const object of out) console.log('---\n' + yaml.stringify(object))
}

if (args[0] === '--probe') probe(args.slice(1))
else if (args[0] === '--step') step(args.slice(1))
else play(args)
