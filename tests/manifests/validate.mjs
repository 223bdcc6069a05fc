// validate.mjs FILE ...: holds manifests against the schemas of kubernetes-models: by ajv for what fields hold, and by
// the TypeScript compiler for fields that nobody knows.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import yaml from 'yaml'

const kPackages = {
  'argoproj.io': '@kubernetes-models/argo-workflows',
  'keda.sh': '@kubernetes-models/keda',
}

// The module of a kind: kubernetes-models/apps/v1/Deployment.
function moduleOf({ apiVersion, kind }) {
  const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : ''
  const from = kPackages[group] || 'kubernetes-models'
  return `${from}/${apiVersion}/${kind}`
}

const complaints = []
const lines = []
let count = 0
for (const file of process.argv.slice(2)) {
  for (const document of yaml.parseAllDocuments(fs.readFileSync(file, 'utf8'), { merge: true })) {
    const object = document.toJS()
    if (!object) continue
    const name = `${file}: ${object.kind} ${object.metadata && object.metadata.name}`
    let model
    try {
      model = (await import(moduleOf(object)))[object.kind]
    } catch (e) {
      complaints.push(`${name}: there is no such kind as ${object.apiVersion} ${object.kind}`)
      continue
    }
    try {
      new model(object).validate()
    } catch (e) {
      complaints.push(`${name}: ${e.message}`)
    }
    ++count
    lines.push(`import { I${object.kind} as T${count} } from '${moduleOf(object)}'`)
    lines.push(`// ${name}\nconst o${count}: T${count} = ${JSON.stringify(object, null, 1)}`)
    lines.push(`void o${count}`)
  }
}

// Fields that nobody knows: an error of the compiler, at a line below the object's comment.
fs.writeFileSync('objects.mts', lines.join('\n') + '\n')
try {
  const tsc = path.join('node_modules', 'typescript', 'bin', 'tsc')
  execFileSync('node', [tsc, '--noEmit', '--strict', '--skipLibCheck', '--module', 'node16',
    '--moduleResolution', 'node16', 'objects.mts'], { encoding: 'utf8' })
} catch (e) {
  const text = lines.join('\n').split('\n')
  for (const line of (e.stdout || String(e)).trim().split('\n')) {
    const at = line.match(/^objects\.mts\((\d+),/)
    let object = ''
    for (let i = at ? Number(at[1]) : 0; i > 0 && !object; --i)
      if (text[i - 1].startsWith('// ')) object = text[i - 1].slice(3)
    complaints.push(`${object}: ${line}`)
  }
}

for (const complaint of complaints) console.error(complaint)
if (complaints.length > 0) process.exit(1)
console.log(`${count} objects are valid`)
