// Draws a line chart from plain values, for the course of a game and for trends.

/** The height of a chart in pixels. Chosen by hand. */
const CHART_HEIGHT = 215;
/** The space around the lines, for ticks and labels. */
const CHART_MARGIN = { top: 14, right: 14, bottom: 40, left: 64 };
/** The least space between the labels of the x axis, in pixels. */
const MIN_TICK_SPACE = 30;

/**
 * A line of a chart. `low` and `high` bound the error band.
 * @typedef {Object} ChartLine
 * @property {string} class
 * @property {Array<{x: number, y: number, low?: number, high?: number}>} points
 * @property {boolean} [steps] whether the line keeps its value until the next point
 */

/**
 * What a chart shows.
 * @typedef {Object} ChartView
 * @property {ChartLine[]} lines
 * @property {Array<{x: number, y: number, class: string, from?: number}>} marks
 * @property {[number, number]} xRange
 * @property {[number, number]} yRange
 * @property {number[]} yTicks
 * @property {(y: number) => string} yText
 * @property {number} [base] the value that the area is drawn from
 * @property {[string, string]} [areas] the classes of the area above and below the base
 * @property {string} xLabel
 * @property {string} yLabel
 * @property {string} label what the chart shows, in words
 * @property {number|null} [cursor]
 * @property {(x: number) => void} [pick]
 */

/**
 * Draws a chart that is as wide as its place.
 * @param {Element} place
 * @param {ChartView} view
 */
function renderChart(place, view) {
  const width = Math.max(260, place.clientWidth || 600);
  const { top, right, bottom, left } = CHART_MARGIN;
  const inner = { width: width - left - right, height: CHART_HEIGHT - top - bottom };
  const [x0, x1] = view.xRange;
  const [y0, y1] = view.yRange;
  const x = (value) => left + (inner.width * (value - x0)) / Math.max(1e-9, x1 - x0);
  const y = (value) => top + inner.height * (1 - (clamp(value, y0, y1) - y0) / Math.max(1e-9, y1 - y0));
  const drawing = svg("svg", {
    class: `chart${view.pick ? " clickable" : ""}`,
    viewBox: `0 0 ${width} ${CHART_HEIGHT}`,
    role: "img",
    "aria-label": view.label,
  });
  drawing.append(
    ...chartAreas(view, x, y),
    ...chartAxes(view, x, y, width),
    ...view.lines.filter(hasBand).map((line) => svg("path", { class: `band ${line.class}`, d: bandPath(line, x, y) })),
    ...view.lines.map((line) => svg("path", { class: `line ${line.class}`, d: linePath(line, x, y) })),
    ...chartCursor(view, x),
    ...view.marks.flatMap((mark) => chartMark(mark, x, y)),
  );
  if (view.pick) {
    drawing.addEventListener("click", (event) => {
      const box = drawing.getBoundingClientRect();
      const at = ((event.clientX - box.left) / box.width) * width;
      view.pick(x0 + ((at - left) / inner.width) * (x1 - x0));
    });
  }
  place.replaceChildren(drawing);
}

function clamp(value, low, high) {
  return Math.min(high, Math.max(low, value));
}

/** The path of a line. */
function linePath(line, x, y) {
  return line.points
    .map((point, at) => {
      if (at === 0) return `M${x(point.x).toFixed(1)} ${y(point.y).toFixed(1)}`;
      const step = line.steps ? `H${x(point.x).toFixed(1)}` : "";
      return `${step}L${x(point.x).toFixed(1)} ${y(point.y).toFixed(1)}`;
    })
    .join("");
}

/** Whether a line has errors to draw. */
function hasBand(line) {
  return line.points.filter((point) => point.low !== undefined).length > 1;
}

/** The outline of the error band: its upper side, and its lower side back. */
function bandPath(line, x, y) {
  const bounded = line.points.filter((point) => point.low !== undefined);
  const upper = bounded.map((point) => `${x(point.x).toFixed(1)} ${y(point.high).toFixed(1)}`);
  const lower = bounded.map((point) => `${x(point.x).toFixed(1)} ${y(point.low).toFixed(1)}`).reverse();
  return `M${upper.join("L")}L${lower.join("L")}z`;
}

/** The area between the first line and the base, in one class above it and another below. */
function chartAreas(view, x, y) {
  const points = view.lines[0]?.points ?? [];
  if (!view.areas || points.length < 2) return [];
  const base = y(view.base);
  const outline = `${linePath(view.lines[0], x, y)}L${x(points[points.length - 1].x)} ${base}L${x(points[0].x)} ${base}z`;
  const [top, bottom] = [CHART_MARGIN.top, CHART_HEIGHT - CHART_MARGIN.bottom];
  const half = (id, from, to) =>
    svg("clipPath", { id }, svg("rect", { x: 0, y: from, width: 10000, height: Math.max(0, to - from) }));
  return [
    svg("defs", {}, half("clip-above", top, base), half("clip-below", base, bottom)),
    svg("path", { class: `area ${view.areas[0]}`, d: outline, "clip-path": "url(#clip-above)" }),
    svg("path", { class: `area ${view.areas[1]}`, d: outline, "clip-path": "url(#clip-below)" }),
  ];
}

/** Lines and labels of both axes. */
function chartAxes(view, x, y, width) {
  const { top, right, bottom, left } = CHART_MARGIN;
  const floor = CHART_HEIGHT - bottom;
  const nodes = [];
  for (const tick of view.yTicks) {
    const at = y(tick);
    nodes.push(
      svg("line", { class: tick === view.base ? "base" : "tick", x1: left, x2: width - right, y1: at, y2: at }),
      svg("text", { x: left - 6, y: at + 4, "text-anchor": "end", text: view.yText(tick) }),
    );
  }
  for (const tick of xTicks(view, width - left - right)) {
    nodes.push(svg("text", { x: x(tick), y: floor + 16, "text-anchor": "middle", text: tick }));
  }
  nodes.push(
    svg("text", { class: "axis", x: (left + width - right) / 2, y: CHART_HEIGHT - 6, "text-anchor": "middle", text: view.xLabel }),
    svg("text", {
      class: "axis",
      transform: `translate(12 ${(top + floor) / 2}) rotate(-90)`,
      "text-anchor": "middle",
      text: view.yLabel,
    }),
  );
  return nodes;
}

/** The whole numbers of the x axis that have a label. */
function xTicks(view, width) {
  const [first, last] = [Math.ceil(view.xRange[0]), Math.floor(view.xRange[1])];
  const room = Math.max(2, Math.floor(width / MIN_TICK_SPACE));
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((step) => (last - first) / step <= room) ?? 2000;
  const ticks = [];
  for (let at = Math.ceil(Math.max(1, first) / step) * step; at <= last; at += step) ticks.push(at);
  return ticks;
}

function chartCursor(view, x) {
  if (view.cursor === null || view.cursor === undefined) return [];
  const at = x(view.cursor);
  const [from, to] = [CHART_MARGIN.top - 6, CHART_HEIGHT - CHART_MARGIN.bottom];
  return [
    svg("rect", { class: "cursor-band", x: at - 7, width: 14, y: from, height: to - from, rx: 3 }),
    svg("line", { class: "cursor", x1: at, x2: at, y1: from, y2: to }),
  ];
}

/** A mark, with a line from where the best move would have led. */
function chartMark(mark, x, y) {
  const drop =
    mark.from === undefined
      ? null
      : svg("line", { class: `drop mark-${mark.class}`, x1: x(mark.x), x2: x(mark.x), y1: y(mark.from), y2: y(mark.y) });
  return [drop, classMark(mark.class, x(mark.x), y(mark.y), 5)].filter(Boolean);
}
