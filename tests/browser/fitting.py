"""What does not fit on a page: sideways scrolling, overlaps, cut texts, and what is too small to tap.

Ten tiles stand in a row, so they need only the height.
"""

from typing import Any, Final

LEAST: Final = 44  # pixels to tap
FIT: Final = """least => {
  const top = [...document.querySelectorAll('.sheet')].at(-1) ?? document.querySelector('.recorder, main');
  const onward = document.documentElement.scrollHeight > innerHeight; // the page scrolls down
  const wrong = [];
  const name = (one) => (one.ariaLabel || one.textContent.trim() || one.tagName).slice(0, 40);
  if (document.documentElement.scrollWidth > innerWidth) wrong.push('the page scrolls sideways');
  for (const one of [top, ...top.querySelectorAll('*')]) {
    const scrolls = /auto|scroll/.test(getComputedStyle(one).overflowX + getComputedStyle(one).overflowY);
    if (scrolls && one.scrollWidth > one.clientWidth + 1) wrong.push(`scrolls sideways: ${name(one)}`);
  }
  // the part of a box that can be seen: whatever hides what flows over cuts it
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
  const taps = [...top.querySelectorAll('button, a[href], input, select, label.button')].filter((one) => {
    const style = getComputedStyle(one);
    return style.clipPath === 'none' && style.visibility === 'visible' && one.getClientRects().length;
  });
  const boxes = taps.map((one) => ({ one, box: seen(one) }));
  for (const { one, box } of boxes) {
    const own = (one.matches('input') && one.closest('label') || one).getBoundingClientRect();
    const hidden = box.right - box.left < 1 || box.bottom - box.top < 1;
    const small = Math.min(one.closest('.palette') ? least : own.width, own.height) < least - 0.5;
    const across = box.left < -1 || box.right > innerWidth + 1;
    const beyond = across || !onward && (box.top < -1 || box.bottom > innerHeight + 1);
    const long = one.scrollWidth > one.clientWidth + 1 && !one.matches('input, select');
    if (small) wrong.push(`small: ${name(one)} ${own.width.toFixed()} x ${own.height.toFixed()}`);
    if (!hidden && beyond) wrong.push(`outside: ${name(one)}`);
    if (long && getComputedStyle(one).textOverflow !== 'ellipsis') wrong.push(`cut: ${name(one)}`);
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


def misfits(page: Any) -> list[str]:
    """What does not fit on the page, or on the sheet that lies over it."""
    measured: list[str] = page.evaluate(FIT, LEAST)
    return measured
