'use strict';
(function () {
    const SVG = 'http://www.w3.org/2000/svg', HTML = 'http://www.w3.org/1999/xhtml';
    const narrowest = 0.1;
    const svg = document.currentScript.ownerSVGElement;
    const group = svg.getElementById('frames'), details = svg.getElementById('details');
    const top = Number(group.dataset.top), rows = Number(group.dataset.rows);
    const margin = Number(group.dataset.margin), rowHeight = Number(group.dataset.rowHeight);
    const columnWidth = Number(group.dataset.columnWidth);
    const frames = Array.from(group.children, function (element) {
        const data = element.dataset, from = Number(data.from);
        return {
            element: element,
            box: element.querySelector('rect'),
            text: element.querySelector('text'),
            label: data.label,
            searched: data.label.toLowerCase(),
            depth: Number(data.depth),
            from: from,
            to: from + Number(data.size || data.total),
        };
    });
    const frameOf = new Map(frames.map(frame => [frame.element, frame]));
    let zoom = frames[0], isFlame = group.dataset.orientation === 'flame', width;

    function fit(label, columns) {
        let used = 0, kept = 0;
        if (columns < 3) return '';
        for (const character of label) {
            used += character.codePointAt(0) < 128 ? 1 : 2;
            if (used > columns) return label.slice(0, kept) + '\u2026';
            if (used < columns) kept += character.length;
        }
        return label;
    }

    function place(frame, x, size) {
        const y = top + rowHeight * (isFlame ? rows - 1 - frame.depth : frame.depth);
        const label = fit(frame.label, Math.floor((size - 6) / columnWidth));
        frame.box.setAttribute('x', x.toFixed(2));
        frame.box.setAttribute('y', y);
        frame.box.setAttribute('width', (size < 3 ? size : size - 0.5).toFixed(2));
        if (!frame.text && label !== '')
            frame.text = frame.element.appendChild(document.createElementNS(SVG, 'text'));
        if (!frame.text) return;
        frame.text.setAttribute('x', (x + 3).toFixed(2));
        frame.text.setAttribute('y', y + 12);
        frame.text.textContent = label;
    }

    function draw() {
        const room = width - 2 * margin, scale = room / (zoom.to - zoom.from || 1);
        for (const frame of frames) {
            const from = Math.max(frame.from, zoom.from), to = Math.min(frame.to, zoom.to);
            const overlap = to - from, isDeeper = frame.depth >= zoom.depth;
            const isAbove = !isDeeper && overlap === zoom.to - zoom.from;
            const isBelow = isDeeper && overlap === frame.to - frame.from;
            const size = frame === zoom ? room : overlap * scale;
            const isShown = (isAbove || isBelow) && size >= narrowest;
            frame.element.style.display = isShown ? '' : 'none';
            frame.element.classList.toggle('above', isAbove);
            if (isShown) place(frame, margin + (from - zoom.from) * scale, size);
        }
        reset.disabled = zoom === frames[0];
        turn.textContent = isFlame ? 'Root to the top' : 'Root to the bottom';
    }

    function zoomTo(frame) {
        zoom = frame;
        draw();
    }

    function find(text) {
        const wanted = text.toLowerCase(), isWanted = wanted !== '';
        let sum = 0, end = 0, count = 0;
        for (const frame of frames) {
            const isMatch = isWanted && frame.depth > 0 && frame.searched.includes(wanted);
            frame.element.classList.toggle('match', isMatch);
            if (!isMatch) continue;
            count++;
            sum += Math.max(0, frame.to - Math.max(frame.from, end));
            end = Math.max(end, frame.to);
        }
        group.classList.toggle('searched', isWanted);
        const percent = (100 * sum / (frames[0].to || 1)).toFixed(2);
        const found = percent + '% in ' + count + (count === 1 ? ' frame' : ' frames');
        matched.textContent = isWanted ? found : '';
    }

    function control(name, id) {
        const element = bar.appendChild(document.createElementNS(HTML, name));
        element.id = id;
        return element;
    }

    const controls = svg.appendChild(document.createElementNS(SVG, 'foreignObject'));
    const bar = controls.appendChild(document.createElementNS(HTML, 'div'));
    const matched = control('span', 'matched'), search = control('input', 'search');
    const reset = control('button', 'reset'), turn = control('button', 'turn');
    controls.id = 'controls';
    controls.setAttribute('y', 6);
    controls.setAttribute('width', 660);
    controls.setAttribute('height', 28);
    search.type = 'search';
    search.placeholder = 'Search (/)';
    search.setAttribute('aria-label', 'Search functions');
    reset.textContent = 'Reset zoom (Esc)';

    function frameAt(event) {
        return frameOf.get(event.target.closest('#frames > g'));
    }
    search.addEventListener('input', function () { find(search.value); });
    reset.addEventListener('click', function () { zoomTo(frames[0]); });
    turn.addEventListener('click', function () {
        isFlame = !isFlame;
        draw();
    });
    group.addEventListener('click', function (event) {
        const frame = frameAt(event);
        if (frame) zoomTo(frame);
    });
    group.addEventListener('mouseover', function (event) {
        const frame = frameAt(event);
        if (!frame) return;
        const title = frame.element.querySelector('title').textContent;
        const values = title.slice(frame.label.length + 1).replaceAll('\n', '; ');
        const columns = Math.floor((width - 2 * margin) / columnWidth) - values.length - 2;
        details.textContent = fit(frame.label, columns) + '  ' + values;
    });
    group.addEventListener('mouseleave', function () { details.textContent = ''; });
    window.addEventListener('keydown', function (event) {
        const isTyping = event.target === search;
        const isFind = (event.ctrlKey || event.metaKey) && event.key === 'f';
        if (!isTyping && (isFind || event.key === '/')) {
            event.preventDefault();
            search.focus();
        } else if (event.key === 'Escape' && search.value !== '') {
            search.value = '';
            find('');
        } else if (event.key === 'Escape') {
            search.blur();
            zoomTo(frames[0]);
        }
    });
    function resize() {
        svg.setAttribute('width', window.innerWidth < 900 ? 900 : '100%');
        width = Math.max(900, svg.getBoundingClientRect().width);
        controls.setAttribute('x', width - margin - 660);
        draw();
    }
    svg.removeAttribute('viewBox');
    window.addEventListener('resize', resize);
    resize();
}());
