"""Layout faults of a page: sideways scrolling, overlaps, and texts that are cut off or covered."""

from typing import Any, Final

FIT: Final = """() => {
  const top = [...document.querySelectorAll('dialog[open], main')].at(-1);
  const onward = document.documentElement.scrollHeight > innerHeight; // the page scrolls down
  const wrong = [];
  const name = (one) => (one.ariaLabel || one.textContent.trim() || one.tagName).slice(0, 40);
  if (document.documentElement.scrollWidth > innerWidth) wrong.push('the page scrolls sideways');
  // the visible part of a box, cut by ancestors that hide overflow
  const seen = (one) => {
    let { left, top, right, bottom } = one.getBoundingClientRect();
    for (let at = one.parentElement; at; at = at.parentElement) {
      if (getComputedStyle(at).overflowY === 'visible') continue;
      const box = at.getBoundingClientRect();
      [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
      [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
    }
    return { left, top, right, bottom };
  };
  const taps = [...top.querySelectorAll('button, a[href], input, select, label')].filter((one) => {
    const style = getComputedStyle(one);
    return style.clipPath === 'none' && style.visibility === 'visible' && one.getClientRects().length;
  });
  const boxes = taps.map((one) => ({ one, box: seen(one) }));
  for (const { one, box } of boxes) {
    const hidden = box.right - box.left < 1 || box.bottom - box.top < 1;
    const across = box.left < -1 || box.right > innerWidth + 1;
    const beyond = across || !onward && (box.top < -1 || box.bottom > innerHeight + 1);
    if (!hidden && beyond) wrong.push(`outside: ${name(one)}`);
  }
  boxes.forEach(({ one, box }, i) => {
    for (const { one: other, box: its } of boxes.slice(i + 1)) {
      if (one.contains(other) || other.contains(one)) continue;
      const across = Math.min(box.right, its.right) - Math.max(box.left, its.left);
      const down = Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top);
      if (across > 1 && down > 1) wrong.push(`overlap: ${name(one)} and ${name(other)}`);
    }
  });
  return [...new Set(wrong)];
}"""

# Visible texts that are cut off by a box around them, lie partly outside the window, or are covered
TEXTS: Final = """root => {
  const open = new CSSStyleSheet();
  open.replaceSync('* { pointer-events: auto !important }'); // include elements that let taps through
  document.adoptedStyleSheets.push(open);
  const wrong = [];
  const seen = [];
  const covers = (one) => {
    const { backgroundColor, backgroundImage } = getComputedStyle(one);
    const clear = backgroundImage === 'none' && /^(transparent|rgba\\(.*, 0\\))$/.test(backgroundColor);
    return !clear || one.closest('svg, img');
  };
  const walker = document.createTreeWalker(document.querySelector(root), NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const one = text.parentElement;
    const shown = one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    if (!text.data.trim() || !shown) continue;
    if (one.closest('option, select, style, script, svg, [hidden]')) continue;
    let clipped = false; // for screen readers only
    for (let at = one; at; at = at.parentElement) clipped ||= getComputedStyle(at).clipPath !== 'none';
    if (clipped) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const box = range.getBoundingClientRect();
    if (!box.width || !box.height) continue;
    const say = (what) => wrong.push(`${what}: ${text.data.trim().slice(0, 40)}`);
    let scrolled = false; // can be scrolled into view
    for (let at = one; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      const around = at.getBoundingClientRect();
      scrolled ||= /auto|scroll/.test(style.overflowY) && at.scrollHeight > at.clientHeight + 1;
      if (style.overflowX === 'visible' && style.overflowY === 'visible') continue;
      const sideways = box.left < around.left - 1.5 || box.right > around.right + 1.5;
      const down = !scrolled && (box.top < around.top - 3 || box.bottom > around.bottom + 3);
      if (sideways || down) { say('cut'); break; }
    }
    if (box.left < -1 || box.right > innerWidth + 1) say('outside');
    const y = (box.top + box.bottom) / 2;
    if (y < 0 || y > innerHeight || scrolled) continue;
    for (const at of [box.left + 2, (box.left + box.right) / 2, box.right - 2]) {
      const over = document.elementsFromPoint(at, y);
      const own = over.findIndex((top) => one.contains(top) || top.contains(one));
      const cover = over.slice(0, Math.max(own, 0)).find(covers);
      if (cover) { say(`behind ${cover.getAttribute('class') || cover.tagName}`); break; }
    }
    for (const { data, parent, box: its } of seen) {
      const across = Math.min(box.right, its.right) - Math.max(box.left, its.left);
      const deep = Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top);
      if (across > 2 && deep > 4 && parent !== one) say(`on "${data.trim().slice(0, 20)}"`);
    }
    seen.push({ data: text.data, parent: one, box });
  }
  document.adoptedStyleSheets.pop();
  return [...new Set(wrong)];
}"""


def hidden_texts(page: Any, root: str = "body") -> list[str]:
    """Return the texts that are cut off, lie partly outside the window, or are covered."""
    measured: list[str] = page.evaluate(TEXTS, root)
    return measured


def misfits(page: Any) -> list[str]:
    """Return the layout faults of the page or its open dialog."""
    measured: list[str] = page.evaluate(FIT)
    return measured
