// cpuprofile.mjs FILE...
//
// Reads each file in the three ways in which programs give a delta to a sample, and writes what
// they find beside it, as truth.py has it, without calls:
//
//     FILE.after    the delta after the sample is its time: DevTools, speedscope
//     FILE.before   the delta before that: VS Code, which also takes ids for places in a list that
//                   it makes while it meets nodes and children
//     FILE.own      the delta of the same index
//
// That the hit counts are these times, and that every line has no more ticks than its function
// has time, is checked on the way.
import fs from 'node:fs';

// As labels are, which have no ';'.
const nameOf = ({ functionName, url, lineNumber }) =>
  (url ? `${functionName} ${url}:${lineNumber + 1}` : functionName).replaceAll(';', ':');

// What VS Code takes for the node of each id.
function placesByMeeting(nodes) {
  const places = new Map();
  const meet = (id) => {
    if (!places.has(id)) places.set(id, places.size);
  };
  for (const { id, children } of nodes) {
    meet(id);
    children?.forEach(meet);
  }
  return places;
}

function readSelf({ nodes, samples, timeDeltas }, way) {
  const places = placesByMeeting(nodes);
  const byPlace = [...nodes].sort((a, b) => places.get(a.id) - places.get(b.id));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const shift = { after: 1, before: -1, own: 0 }[way];
  const self = new Map(nodes.map((node) => [node, 0]));
  samples.forEach((id, i) => {
    const node = way === 'before' ? byPlace[id - 1] : byId.get(id);
    self.set(node, self.get(node) + (timeDeltas[i + shift] ?? 0));
  });
  return self;
}

function checkNodes({ nodes, endTime }, self, total) {
  let all = 0;
  for (const node of nodes) {
    all += self.get(node);
    if (node.hitCount !== self.get(node))
      throw new Error(`node ${node.id}: hits ${node.hitCount}, not ${self.get(node)}`);
    const ticks = (node.positionTicks ?? []).reduce((sum, tick) => sum + tick.ticks, 0);
    // Each line is rounded, and the nodes carry what rounding leaves over.
    const most = (node.positionTicks?.length ?? 0) + (node.children?.length ?? 0) + 2;
    if (node.callFrame.url && ticks > total.get(node) + most)
      throw new Error(`node ${node.id}: ${ticks} ticks of ${total.get(node)}`);
  }
  if (all !== endTime) throw new Error(`${all} us in the nodes, ${endTime} in all`);
}

function tableOf(profile, way) {
  const self = readSelf(profile, way);
  const total = new Map();
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  for (const node of [...profile.nodes].reverse()) {
    total.set(
      node,
      self.get(node) + (node.children ?? []).reduce((sum, id) => sum + total.get(byId.get(id)), 0)
    );
  }
  checkNodes(profile, self, total);
  const sums = new Map();
  const open = [[profile.nodes[0], new Set()]];
  while (open.length > 0) {
    const [node, above] = open.pop();
    const name = nameOf(node.callFrame);
    const [selfBefore, totalBefore] = sums.get(name) ?? [0, 0];
    sums.set(name, [
      selfBefore + self.get(node),
      totalBefore + (above.has(name) ? 0 : total.get(node)),
    ]);
    const below = new Set(above).add(name);
    for (const id of node.children ?? []) open.push([byId.get(id), below]);
  }
  sums.delete('(root)');
  return [...sums]
    .map(([name, [ownUs, allUs]]) => `${name}\t${ownUs * 1000}\t${allUs * 1000}\t-\n`)
    .sort()
    .join('');
}

for (const file of process.argv.slice(2)) {
  const profile = JSON.parse(fs.readFileSync(file, 'utf8'));
  for (const way of ['after', 'before', 'own'])
    fs.writeFileSync(`${file}.${way}`, tableOf(profile, way));
}
