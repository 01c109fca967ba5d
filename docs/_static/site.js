// Makes Furo's drawers, Sphinx's search, and wide tables operable by keyboard.
'use strict';

// A drawer of narrow windows: the checkbox of its state, its icons, and the elements that an open one covers.
function connectDrawer(box, icons, drawer) {
    const covered = [...document.querySelectorAll('.mobile-header, .sidebar-drawer, .content, .toc-drawer')].filter((one) => one !== drawer);
    let opener = null;
    const update = () => {
        if (box.checked) opener = document.activeElement;
        icons.forEach((icon) => icon.setAttribute('aria-expanded', box.checked));
        covered.forEach((one) => { one.inert = box.checked; });
        if (box.checked) [...drawer.querySelectorAll('a')].find((link) => link.offsetParent)?.focus();
        else opener?.focus();
    };
    const change = () => {
        box.checked = !box.checked;
        update();
    };
    for (const icon of icons) {
        icon.setAttribute('role', 'button');
        icon.tabIndex = 0;
        icon.addEventListener('keydown', (event) => {
            if (event.key !== 'Enter' && event.key !== ' ') return;
            event.preventDefault();
            icon.click();
        });
    }
    box.addEventListener('change', update);
    document.addEventListener('keydown', (event) => event.key === 'Escape' && box.checked && change());
    update();
    return () => getComputedStyle(drawer).visibility === 'hidden' && change();
}

// The key / moves the focus to the search, which may be in a closed drawer.
function connectDrawers() {
    const find = (selector) => [...document.querySelectorAll(selector)];
    const open = connectDrawer(find('#__navigation')[0], find('.nav-overlay-icon'), find('.sidebar-drawer')[0]);
    connectDrawer(find('#__toc')[0], find('.toc-overlay-icon'), find('.toc-drawer')[0]);
    const focus = Documentation.focusSearchBar;
    Documentation.focusSearchBar = () => {
        open();
        focus();
    };
}

// Tables and diagrams that scroll get a name and, while they are wider than the page, the focus.
function connectScrolled() {
    const observer = new ResizeObserver((entries) => {
        for (const { target } of entries)
            if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
            else target.removeAttribute('tabindex');
    });
    for (const target of document.querySelectorAll('.table-wrapper, p:has(> img[src$=".svg"])')) {
        const heading = target.closest('section')?.querySelector('h1, h2, h3, h4')?.firstChild;
        target.setAttribute('role', 'region');
        target.setAttribute('aria-label', target.querySelector('img')?.alt ?? `Table: ${heading?.textContent}`);
        observer.observe(target);
    }
}

// Moves the focus to the results of a search once all are there.
function connectResults() {
    const results = document.getElementById('search-results');
    if (!results) return;
    results.tabIndex = -1;
    new MutationObserver((changes, observer) => {
        if (!results.querySelector('.search-summary')?.textContent.trim()) return;
        observer.disconnect();
        if (document.activeElement === document.body) results.focus({ preventScroll: true });
    }).observe(results, { childList: true, subtree: true });
}

document.addEventListener('DOMContentLoaded', () => {
    connectDrawers();
    connectScrolled();
    connectResults();
});
