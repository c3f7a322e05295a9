// report_compare.js - what changed between two profiles.

import { formatChange, formatPercent, formatTime } from './report_format.js';
import { data } from './report_data.js';
import { state } from './report_state.js';
import { functionName, h, makeTable, rowsOf, section, showTime } from './report_elements.js';
import { withMicro } from './report_overview.js';

/** @typedef {import('./report_state.js').View} View */

/** @param {number} now @param {number} old */
function formatChangePercent(now, old) {
  const text = formatPercent(now - old, old);
  return text === '0.0' ? '0.0%' : `${now > old ? '+' : '−'}${text.replace('-', '')}%`;
}

/** @param {View} view */
export function comparePage(view) {
  const alike = new Set(state.chips.length === 0 && state.thread === 'all' ? data.old.alike : []);
  const rows = rowsOf(view.sums);
  const selfChange = (/** @type {any} */ row) => row.self - row.oldSelf;
  const total = view.all, oldTotal = view.tree.oldTotal?.[0] ?? 0;
  return [
    h('p', { class: 'lead' }, 'Now ', h('b', {}, data.title), `: ${formatTime(total)}; before `, h('b', {}, data.old_title), `: ${formatTime(oldTotal)}. The difference is `,
      h('b', {}, formatChange('time', total - oldTotal)), oldTotal > 0 ? ` (${formatChangePercent(total, oldTotal)}).` : '.', data.scaled ? ` Old values: ${data.scaled}.` : ''),
    ...data.notes.filter((/** @type {string} */ text) => text.startsWith('Note: ')).map((/** @type {string} */ text) => h('p', { class: 'quiet' }, `${withMicro(text)}.`)),
    section('Functions by how much their self time changed', '~ may be no change', makeTable({
      rows, caption: 'Functions by change', nameTitle: 'function', sort: 'change', sortName: 'sort', tie: (row) => row.id,
      name: (row) => h('span', {}, functionName(row), h('span', { class: 'tag' }, row.oldCalls === 0 && row.oldTotal === 0 ? 'new' : row.calls === 0 && row.total === 0 ? 'gone' : '')),
      columns: [
        { key: 'oldSelf', title: 'self before', show: showTime },
        { key: 'self', title: 'now', show: showTime },
        { key: 'change', title: 'change', value: selfChange, show: (value, row) => `${alike.has(row.id) ? '~ ' : ''}${formatChange('time', value)}` },
        { key: 'change%', title: '%', help: 'change as part of the self time before', value: (row) => (row.oldSelf > 0 ? (100 * selfChange(row)) / row.oldSelf : 0), show: (_, row) => (row.oldSelf > 0 ? formatChangePercent(row.self, row.oldSelf) : '–') },
        { key: 'oldTotal', title: 'total before', show: showTime, isWide: true },
        { key: 'total', title: 'now', show: showTime, isWide: true },
        { key: 'changeTotal', title: 'change', value: (row) => row.total - row.oldTotal, show: (value) => formatChange('time', value), isWide: true },
        { key: 'oldCalls', title: 'calls before', isWide: true },
        { key: 'calls', title: 'now', isWide: true },
      ],
    })),
  ];
}

