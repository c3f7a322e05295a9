'use strict';
(function () {
    const SVG = 'http://www.w3.org/2000/svg', HTML = 'http://www.w3.org/1999/xhtml';
    const narrowest = 0.1, textMargin = 3;
    const svg = document.currentScript.ownerSVGElement;
    const group = svg.getElementById('frames'), notes = svg.getElementById('notes');
    const legend = svg.getElementById('legend'), rows = Number(group.dataset.rows);
    const margin = Number(group.dataset.margin), rowHeight = Number(group.dataset.rowHeight);
    const columnWidth = Number(group.dataset.columnWidth);

    /* Frames ----------------------------------------------------------------------------- */

    const path = [];
    const frames = Array.from(group.children, function (element, index) {
        const data = element.dataset, from = Number(data.from), depth = Number(data.depth);
        const frame = {
            index: index,
            element: element,
            box: element.querySelector('rect'),
            text: element.querySelector('text'),
            label: data.label,
            nameLength: Number(data.name),
            depth: depth,
            from: from,
            to: from + Number(data.size || data.total),
            parent: depth > 0 ? path[depth - 1] : null,
            children: [],
            isShown: true,
        };
        if (frame.parent) frame.parent.children.push(frame);
        path[depth] = frame;
        return frame;
    });
    const frameOf = new Map(frames.map(frame => [frame.element, frame]));
    const root = frames[0];
    let zoom = root, isFlame = group.dataset.orientation === 'flame', width, top;
    const isFlameAtFirst = isFlame;

    /* What a search looks at: all frames, and those that are too narrow to be drawn. */
    const leftOut = JSON.parse(svg.getElementById('left-out').textContent);
    const sought = frames.map(frame => ({
        parent: frame.parent ? frame.parent.index : -1,
        label: frame.label,
        size: frame.to - frame.from,
    }));
    for (let i = 0; i < leftOut.frames.length; i += 3)
        sought.push({
            parent: leftOut.frames[i],
            label: leftOut.labels[leftOut.frames[i + 1]],
            size: leftOut.frames[i + 2],
        });

    /* Labels ----------------------------------------------------------------------------- */

    const columnsOf = characters =>
        characters.reduce((sum, character) => sum + (character.codePointAt(0) < 128 ? 1 : 2), 0);

    function fit(characters, columns) {
        let used = 0, kept = 0;
        if (columns < 3) return '';
        for (let i = 0; i < characters.length; i++) {
            used += characters[i].codePointAt(0) < 128 ? 1 : 2;
            if (used > columns) return characters.slice(0, kept).join('') + '\u2026';
            if (used < columns) kept = i + 1;
        }
        return characters.join('');
    }

    function end(characters, columns) {
        let from = 0;
        while (columnsOf(characters.slice(from)) > columns - 1) from++;
        return '\u2026' + characters.slice(from).join('');
    }

    /* The name stays as long as it can, and of the place its end, with the line. */
    function fitLabel(label, nameLength, columns) {
        const all = Array.from(label), name = all.slice(0, nameLength);
        const place = all.slice(nameLength + 1), line = /:[0-9]+$/.exec(place.join(''));
        const lineColumns = line ? line[0].length : 0;
        if (columns < 3 || columnsOf(all) <= columns || place.length === 0)
            return fit(all, columns);
        if (name.join('') === '?') {
            if (lineColumns === 0) return fit(place, columns);
            return lineColumns < columns ? end(place, columns) : '';
        }
        if (lineColumns > 0 && columnsOf(name) + 2 + lineColumns <= columns)
            return name.join('') + ' ' + end(place, columns - columnsOf(name) - 1);
        return fit(name, columns);
    }

    /* Drawing ---------------------------------------------------------------------------- */

    function place(frame, x, size) {
        const y = top + rowHeight * (isFlame ? rows - 1 - frame.depth : frame.depth);
        const columns = Math.floor((size - 2 * textMargin) / columnWidth);
        const label = fitLabel(frame.label, frame.nameLength, columns);
        frame.box.setAttribute('x', x.toFixed(2));
        frame.box.setAttribute('y', y);
        frame.box.setAttribute('width', (size < 3 ? size : size - 0.5).toFixed(2));
        if (!frame.text && label !== '')
            frame.text = frame.element.appendChild(document.createElementNS(SVG, 'text'));
        if (!frame.text) return;
        frame.text.setAttribute('x', (x + textMargin).toFixed(2));
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
            frame.isShown = (isAbove || isBelow) && size >= narrowest;
            frame.element.style.display = frame.isShown ? '' : 'none';
            frame.element.classList.toggle('above', isAbove);
            if (frame.isShown) place(frame, margin + (from - zoom.from) * scale, size);
        }
        reset.disabled = zoom === root;
        turn.textContent = isFlame ? 'Root to the top' : 'Root to the bottom';
    }

    function find(text) {
        const wanted = text.toLowerCase(), isWanted = wanted !== '';
        const isMatch = new Map(), isBelow = new Uint8Array(sought.length);
        let sum = 0, count = 0, narrow = 0;
        for (let i = 1; i < sought.length; i++) {
            const { parent, label, size } = sought[i];
            if (!isMatch.has(label)) isMatch.set(label, isWanted && label.toLowerCase().includes(wanted));
            const isFound = isMatch.get(label);
            if (i < frames.length) frames[i].element.classList.toggle('match', isFound);
            isBelow[i] = isBelow[parent] || isFound;
            if (isBelow[i] && !isBelow[parent]) sum += size;
            count += isFound;
            narrow += isFound && i >= frames.length;
        }
        group.classList.toggle('searched', isWanted);
        const percent = (100 * sum / (root.to || 1)).toFixed(2) + '%';
        matched.textContent = !isWanted ? '' :
            (leftOut.unlisted > 0 ? 'at least ' : '') + percent + ' in ' + count +
            (count === 1 ? ' frame' : ' frames') + (narrow > 0 ? ', ' + narrow + ' too narrow to be drawn' : '');
    }

    /* The page around it ----------------------------------------------------------------- */

    function make(parent, name, id, text) {
        const element = parent.appendChild(document.createElementNS(HTML, name));
        if (id) element.id = id;
        if (text) element.textContent = text;
        return element;
    }

    function makePage(id) {
        const object = svg.insertBefore(document.createElementNS(SVG, 'foreignObject'), group);
        const page = object.appendChild(document.createElementNS(HTML, 'div'));
        object.id = id;
        page.className = 'page';
        return page;
    }

    function replace(id) {
        const element = svg.getElementById(id);
        element.classList.add('replaced');
        return element.textContent;
    }

    const header = makePage('controls');
    make(header, 'h1', '', replace('title'));
    make(header, 'p', '', replace('summary'));
    const bar = make(header, 'div');
    bar.className = 'bar';
    const search = make(bar, 'input', 'search'), reset = make(bar, 'button', 'reset', 'Reset zoom (Esc)');
    const turn = make(bar, 'button', 'turn'), matched = make(bar, 'span', 'matched');
    const details = make(header, 'p', 'details');
    search.type = 'search';
    search.placeholder = 'Search (/)';
    search.setAttribute('aria-label', 'Search functions');
    matched.setAttribute('role', 'status');

    const footer = makePage('footer');
    for (const note of notes.children) make(footer, 'p', '', note.textContent);
    const list = make(footer, 'ul');
    for (const entry of legend.children) {
        const item = make(list, 'li'), color = make(item, 'span');
        color.style.background = entry.querySelector('rect').getAttribute('fill');
        item.append(entry.querySelector('text').textContent);
    }
    notes.classList.add('replaced');
    legend.classList.add('replaced');

    function resize() {
        width = Math.max(300, window.innerWidth || svg.getBoundingClientRect().width);
        for (const page of [header, footer]) {
            page.parentNode.setAttribute('width', width);
            page.parentNode.setAttribute('height', 10000);
        }
        const headerHeight = header.offsetHeight, footerHeight = footer.offsetHeight;
        top = headerHeight;
        header.parentNode.setAttribute('height', headerHeight);
        footer.parentNode.setAttribute('y', top + rows * rowHeight);
        footer.parentNode.setAttribute('height', footerHeight);
        svg.setAttribute('width', width);
        svg.setAttribute('height', top + rows * rowHeight + footerHeight);
        draw();
    }

    /* The state is in the address, so that a view is a link and Back works. */

    function show() {
        const state = new URLSearchParams();
        if (zoom !== root) state.set('zoom', zoom.index);
        if (search.value !== '') state.set('search', search.value);
        if (isFlame !== isFlameAtFirst) state.set('root', isFlame ? 'bottom' : 'top');
        if (state.toString() !== window.location.hash.slice(1)) window.location.hash = state.toString();
        draw();
    }

    function readState() {
        const state = new URLSearchParams(window.location.hash.slice(1));
        zoom = frames[Number(state.get('zoom'))] || root;
        search.value = state.get('search') || '';
        isFlame = state.has('root') ? state.get('root') === 'bottom' : isFlameAtFirst;
        find(search.value);
        draw();
    }

    function zoomTo(frame) {
        zoom = frame;
        show();
    }

    /* The mouse and the keyboard --------------------------------------------------------- */

    let current = root;

    function describe(frame) {
        const title = frame.element.querySelector('title').textContent;
        details.textContent = frame.label + '  ' + title.slice(frame.label.length + 1).replaceAll('\n', '; ');
    }

    function focus(frame) {
        if (!frame) return;
        current.element.setAttribute('tabindex', -1);
        current = frame;
        current.element.setAttribute('tabindex', 0);
        current.element.setAttribute('role', 'button');
        current.element.setAttribute('aria-label', frame.element.querySelector('title').textContent);
        current.element.focus();
    }

    function beside(frame, step) {
        const siblings = frame.parent ? frame.parent.children.filter(other => other.isShown) : [frame];
        return siblings[siblings.indexOf(frame) + step];
    }

    function step(key) {
        const deeper = current.children.find(frame => frame.isShown), isDown = key === 'ArrowDown';
        if (key === 'ArrowLeft') return beside(current, -1);
        if (key === 'ArrowRight') return beside(current, 1);
        if (key === 'Home') return root;
        return isDown === isFlame ? current.parent : deeper;
    }

    root.element.setAttribute('tabindex', 0);
    root.element.setAttribute('role', 'button');
    search.addEventListener('input', function () { find(search.value); });
    search.addEventListener('change', show);
    reset.addEventListener('click', function () { zoomTo(root); });
    turn.addEventListener('click', function () {
        isFlame = !isFlame;
        show();
    });
    group.addEventListener('click', function (event) {
        const frame = frameOf.get(event.target.closest('#frames > g'));
        if (!frame) return;
        focus(frame);
        zoomTo(frame);
    });
    for (const kind of ['mouseover', 'focusin'])
        group.addEventListener(kind, function (event) {
            const frame = frameOf.get(event.target.closest('#frames > g'));
            if (frame) describe(frame);
        });
    group.addEventListener('mouseleave', function () { details.textContent = ''; });
    group.addEventListener('keydown', function (event) {
        const isZoom = event.key === 'Enter' || event.key === ' ';
        if (!isZoom && !/^Arrow|^Home$/.test(event.key)) return;
        event.preventDefault();
        if (isZoom) zoomTo(current);
        else focus(step(event.key));
    });
    window.addEventListener('keydown', function (event) {
        const isTyping = event.target === search;
        const isFind = (event.ctrlKey || event.metaKey) && event.key === 'f';
        if (!isTyping && (isFind || event.key === '/')) {
            event.preventDefault();
            search.focus();
        } else if (event.key === 'Escape' && search.value !== '') {
            search.value = '';
            find('');
            show();
        } else if (event.key === 'Escape') {
            search.blur();
            zoomTo(root);
        }
    });
    svg.removeAttribute('viewBox');
    window.addEventListener('resize', resize);
    window.addEventListener('hashchange', readState);
    resize();
    readState();
}());
