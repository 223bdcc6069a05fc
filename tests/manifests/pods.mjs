// pods.mjs --play IP FILE ...                the pods and what they need, as podman can play them; IP is the store's
// pods.mjs --args NAME FILE                  a container's arguments, each followed by a zero
// pods.mjs --probe KIND CONTAINER FILE       a probe's command, a word a line
// pods.mjs --step NAME SEED FILE [P=V ...]   a step of an Argo template, as a shell script
import fs from 'node:fs'
import path from 'node:path'
import yaml from 'yaml'

const read = (file) => yaml.parseAllDocuments(fs.readFileSync(file, 'utf8')).map((d) => d.toJS()).filter((o) => o)
const args = process.argv.slice(2)

function probe([kind, name, file]) {
  for (const object of read(file))
    for (const container of object.spec?.template?.spec.containers ?? [])
      if (container.name === name) return console.log(container[kind].exec.command.join('\n'))
  throw new Error(`no container ${name}`)
}

function args_of([name, file]) {
  for (const object of read(file))
    for (const container of object.spec?.template?.spec.containers ?? [])
      if (container.name === name) return process.stdout.write(container.args.map((arg) => arg + '\0').join(''))
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

function play([ip, ...files]) {
  const objects = files.flatMap(read)
  const out = []
  // podman 4.3 fills $(NAME) in from `env` only; it does not decode secrets either, so they become folders.
  const settings = { ...objects.find((o) => o.kind === 'ConfigMap').data, GAME: 'tictactoe', RANK: '0' }
  for (const object of objects) {
    delete object.metadata.namespace
    const pod = object.spec?.template?.spec
    for (const volume of pod?.volumes ?? []) {
      if (!volume.secret) continue
      volume.hostPath = { path: path.resolve('secrets', volume.secret.secretName), type: 'Directory' }
      delete volume.secret
    }
    if (pod) pod.hostAliases = [{ ip, hostnames: ['replay'] }]  // podman has no Services
    // podman knows one scratch folder of a name, whoever asks for it.
    const scratch = new Set((pod?.volumes ?? []).filter((volume) => volume.emptyDir).map((volume) => volume.name))
    for (const named of [...(pod?.volumes ?? []), ...(pod?.containers ?? []).flatMap((c) => c.volumeMounts)])
      if (scratch.has(named.name)) named.name = `${named.name}-${object.metadata.name}`
    for (const container of pod?.containers ?? []) {
      container.args = container.args?.map((arg) => arg.replace(/\$\((\w+)\)/g, (all, name) => settings[name] ?? all))
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
      const folder = path.join('secrets', object.metadata.name)
      fs.mkdirSync(folder, { recursive: true })
      for (const [name, value] of Object.entries(object.data)) fs.writeFileSync(path.join(folder, name), atob(value))
    } else if (object.kind === 'Deployment') {
      object.spec.replicas = 1  // podman gives all of them one scratch folder
      out.push(object)
    }
  }
  // The store's pod apart, for it has the address.
  for (const object of out) {
    const store = object.metadata.name.includes('replay')
    const files = object.kind === 'ConfigMap' ? ['store.yaml', 'pods.yaml'] : [store ? 'store.yaml' : 'pods.yaml']
    for (const each of files)
      fs.appendFileSync(each, '---\n' + yaml.stringify(object))
  }
}

const words = { '--args': args_of, '--probe': probe, '--step': step, '--play': play }
words[args[0]](args.slice(1))
