// Elements. Texts only ever become text nodes, so nothing from a record is read as HTML.

/** The namespace of SVG elements. */
const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

/**
 * Makes an element. `text` sets its text, `on` its listeners, everything else an attribute; an
 * attribute that is null, undefined or false is left out.
 * @param {Element} element
 * @param {Object<string, any>} settings
 * @param {Array<Node|string|null|undefined|false>} children
 */
function fill(element, settings, children) {
  for (const [name, value] of Object.entries(settings)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "text") element.textContent = String(value);
    else if (name === "on") {
      for (const [event, listener] of Object.entries(value)) {
        element.addEventListener(event, listener);
      }
    } else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child || child === 0));
  return element;
}

/** Makes an HTML element. */
function html(tag, settings = {}, ...children) {
  return fill(document.createElement(tag), settings, children);
}

/** Makes an SVG element. */
function svg(tag, settings = {}, ...children) {
  return fill(document.createElementNS(SVG_NAMESPACE, tag), settings, children);
}

/** The element of the page with this id. */
function byId(id) {
  return document.getElementById(id);
}

/** Shows the page instead of what it says without a script, which would give answers away. */
function startPage() {
  for (const summary of document.querySelectorAll("noscript")) summary.remove();
  byId("page").hidden = false;
}

/** The outlines of the icons, in a square of 16 by 16. They do not depend on any font. */
const ICON_PATHS = {
  first: "M3 3v10M13 3L6 8l7 5z",
  back: "M11 3L4 8l7 5z",
  forward: "M5 3l7 5-7 5z",
  last: "M13 3v10M3 3l7 5-7 5z",
  copy: "M5 5V2h9v9h-3M2 5h9v9H2z",
  sun: "M8 5a3 3 0 1 0 0 6 3 3 0 1 0 0-6zM8 1v2M8 13v2M1 8h2M13 8h2M3 3l1.5 1.5M11.5 11.5L13 13M3 13l1.5-1.5M11.5 4.5L13 3",
  search: "M7 2a5 5 0 1 0 0 10A5 5 0 1 0 7 2zM10.5 10.5L14.5 14.5",
  up: "M3 11l5-6 5 6z",
  down: "M3 5l5 6 5-6z",
};

/** An icon for eyes only: what it stands for must be in text beside it or in a label. */
function icon(name) {
  return svg(
    "svg",
    { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true", focusable: "false" },
    svg("path", { d: ICON_PATHS[name] }),
  );
}

/** A button with an icon, a text, or both. Without a text, `label` names it. */
function button({ text, label, name, on, ...settings }) {
  return html(
    "button",
    { type: "button", "aria-label": text ? null : label, title: label, on: { click: on }, ...settings },
    name ? icon(name) : null,
    text ? html("span", { text }) : null,
  );
}

/** A text for screen readers alone. */
function spoken(text) {
  return html("span", { class: "unseen-by-eye", text });
}

/**
 * A table. Every cell has the name of its column, which narrow screens show beside it. Roles are
 * explicit, because narrow screens lay rows out as grids, and a browser then drops the roles.
 * @param {{caption: string, class?: string, columns: Array<{name: string, key: string, number?: boolean, head?: Node}>}} shape
 * @param {Array<{cells: Object<string, any>, settings?: Object<string, any>} | {group: string}>} rows
 */
function table(shape, rows) {
  const head = shape.columns.map((column) =>
    html(
      "th",
      { scope: "col", role: "columnheader", class: `c-${column.key}${column.number ? " number" : ""}`, ...column.settings },
      column.head ?? column.name,
    ),
  );
  const body = rows.map((row) =>
    row.group !== undefined
      ? html(
          "tr",
          { class: "group", role: "row" },
          html("th", { colspan: shape.columns.length, scope: "colgroup", role: "cell", text: row.group }),
        )
      : html(
          "tr",
          { role: "row", ...row.settings },
          ...shape.columns.map((column) =>
            html(
              "td",
              {
                role: "cell",
                "data-name": column.name,
                class: `c-${column.key}${column.number ? " number" : ""}`,
              },
              ...[row.cells[column.key] ?? ""].flat(),
            ),
          ),
        ),
  );
  return html(
    "table",
    { class: shape.class, role: "table" },
    html("caption", { class: "unseen-by-eye", text: shape.caption }),
    html("thead", { role: "rowgroup" }, html("tr", { role: "row" }, ...head)),
    html("tbody", { role: "rowgroup" }, ...body),
  );
}
