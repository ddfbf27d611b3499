// Runs in the page: finds content inside `root` that is clipped, overlapping or hard to read.
(root) => {
  const faults = [];
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const nameOf = (element) =>
    `${element.tagName.toLowerCase()}.${element.className} “${(element.ariaLabel ?? element.textContent ?? "").trim().slice(0, 40)}”`;
  const all = [...root.querySelectorAll("*")].filter((element) => isShown(element) && !element.closest(".for-readers"));

  const scrolls = (element) => /auto|scroll/.test(getComputedStyle(element).overflowX);
  for (const element of all) {
    const { left, right, width } = element.getBoundingClientRect();
    if (width > 0 && (left < -1 || right > innerWidth + 1)) faults.push(`beyond the screen: ${nameOf(element)}`);
    const isField = element.matches("input, textarea, select");
    const isInline = getComputedStyle(element).display === "inline";
    if (!isField && !isInline && element.scrollWidth > element.clientWidth + 1)
      faults.push(`${scrolls(element) ? "scrolls sideways" : "clipped"}: ${nameOf(element)}`);
  }

  // Only the visible part of an element can overlap another.
  const seenBox = (element) => {
    let { left, right, top, bottom } = element.getBoundingClientRect();
    for (let at = element.parentElement; at; at = at.parentElement) {
      if (getComputedStyle(at).overflowY === "visible") continue;
      const frame = at.getBoundingClientRect();
      left = Math.max(left, frame.left);
      right = Math.min(right, frame.right);
      top = Math.max(top, frame.top);
      bottom = Math.min(bottom, frame.bottom);
    }
    return { left, right, top, bottom };
  };
  const boxes = all
    .filter((element) => element.matches("button, input, textarea, select, a[href], label, p, h1, h2, h3, dt, dd"))
    .map((element) => ({ element, box: seenBox(element) }));
  const isApart = ({ box: one }, { box: other }) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) <= 2 ||
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) <= 2;
  const isIntended = (one, other) =>
    one.contains(other) || other.contains(one) || one.matches(".clear") || other.matches(".clear");
  boxes.forEach((one, index) => {
    for (const other of boxes.slice(index + 1))
      if (!isIntended(one.element, other.element) && !isApart(one, other))
        faults.push(`overlapping: ${nameOf(one.element)} and ${nameOf(other.element)}`);
  });

  const parts = (color) => (color.match(/[\d.]+/g) ?? []).map(Number);
  const groundOf = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const [red, green, blue, opacity = 1] = parts(getComputedStyle(at).backgroundColor);
      if (opacity > 0.99) return [red, green, blue];
    }
    return [255, 255, 255];
  };
  const luminance = (color) => {
    const [red, green, blue] = color.slice(0, 3).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one, other) => {
    const [darker, lighter] = [luminance(one), luminance(other)].sort((left, right) => left - right);
    return (lighter + 0.05) / (darker + 0.05);
  };
  const longestWhole = 20;
  const textsIn = (element) => [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
  for (const node of all.flatMap(textsIn))
    for (const { 0: word, index } of node.data.matchAll(/[\p{L}\p{N}.@]+/gu)) {
      if (word.length > longestWhole) continue;
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1)
        faults.push(`broken in the middle: “${word}” in ${nameOf(node.parentElement)}`);
    }
  const hasText = (element) =>
    element.matches("input, textarea, select") || textsIn(element).some(({ data }) => /[\p{L}\p{N}]/u.test(data));
  for (const element of all.filter((each) => hasText(each) && !each.matches(":disabled"))) {
    const { color, fontSize } = getComputedStyle(element);
    if (contrast(parts(color), groundOf(element)) < 4.5) faults.push(`too faint: ${nameOf(element)}`);
    if (Number.parseFloat(fontSize) < 10) faults.push(`too small: ${nameOf(element)}`);
  }
  return [...new Set(faults)];
};
