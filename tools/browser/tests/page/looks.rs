//! Width and contrast, in all states of the pages.

use crate::Shown;
use browser::samples;
use cazique::review::ReviewDocument;

/// The width of a small phone in pixels.
const PHONE: u32 = 375;

/// Collects texts whose contrast is below WCAG AA: 4.5, or 3 from 24 pixels, or from 18.66 in bold.
/// Colours are read through a canvas, which knows all notations; backgrounds and opacities of all
/// ancestors count.
const LOW_CONTRAST: &str = r"
const canvas = document.createElement('canvas');
canvas.width = canvas.height = 1;
const context = canvas.getContext('2d', { willReadFrequently: true });
const known = new Map();
const read = (color) => {
  if (!known.has(color)) {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
    known.set(color, [r, g, b, a / 255]);
  }
  return known.get(color);
};
const over = ([r, g, b, a], back) => [r, g, b].map((it, at) => it * a + back[at] * (1 - a));
const light = (rgb) => {
  const [r, g, b] = rgb.map((it) => (it / 255 <= 0.04045 ? it / 255 / 12.92 : ((it / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const chain = (node) => (node ? [...chain(node.parentElement), node] : []);
const back = (node) => chain(node).reduce((under, it) => over(read(getComputedStyle(it).backgroundColor), under), [255, 255, 255]);
const found = [];
let count = 0;
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const node = walker.currentNode;
  const parent = node.parentElement;
  if (!node.textContent.trim() || parent.closest('script, style, noscript, .unseen-by-eye')) continue;
  if (!parent.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) continue;
  const style = getComputedStyle(parent);
  const under = back(parent);
  const color = read(parent instanceof SVGElement ? style.fill : style.color);
  const opacity = chain(parent).reduce((all, it) => all * parseFloat(getComputedStyle(it).opacity), 1);
  const front = over([color[0], color[1], color[2], color[3] * opacity], under);
  const [high, low] = [light(front), light(under)].sort((a, b) => b - a);
  const ratio = (high + 0.05) / (low + 0.05);
  const size = parseFloat(style.fontSize);
  const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
  count += 1;
  if (ratio < (isLarge ? 3 : 4.5)) found.push(`${ratio.toFixed(2)} ${parent.className?.baseVal ?? parent.className} ${node.textContent.slice(0, 30)}`);
}
return [count, [...new Set(found)]];
";

/// Collects elements that reach beyond the right edge.
const TOO_WIDE: &str = r"
const width = document.documentElement.clientWidth;
const wide = [...document.querySelectorAll('body *')].filter((it) => !it.closest('.unseen-by-eye, defs, noscript') && it.getBoundingClientRect().right > width + 0.5);
const scrolls = document.documentElement.scrollWidth > width || document.body.scrollWidth > width;
return [scrolls, wide.slice(0, 5).map((it) => `${it.tagName} ${it.className?.baseVal ?? it.className} ${it.textContent.slice(0, 30)}`)];
";

#[track_caller]
fn assert_contrast(shown: &Shown, state: &str) {
    for scheme in ["light", "dark"] {
        shown.browser.prefer(scheme).unwrap();
        let result = shown.browser.run(LOW_CONTRAST).unwrap();
        assert!(result[0].as_u64() > Some(100), "{state}: {result}");
        let found = result[1].as_array().unwrap();
        assert!(found.is_empty(), "{state}, {scheme}: {found:#?}");
    }
}

#[track_caller]
fn assert_narrow(shown: &Shown, state: &str) {
    let result = shown.browser.run(TOO_WIDE).unwrap();
    let wide = result[1].as_array().unwrap();
    assert!(result[0] == false && wide.is_empty(), "{state}: {result:#}");
}

/// Brings a page of a game into all its states, one after the other.
fn visit_states(shown: &Shown, document: &ReviewDocument, check: impl Fn(&Shown, &str)) {
    let run = |script: &str| shown.browser.run(script).unwrap();
    run("document.querySelectorAll('details').forEach((it) => { it.open = true; })");
    for turn in [0, 6, 9, 10, document.turns.len() - 1] {
        run(&format!(
            "document.querySelectorAll('tr[data-turn] a')[{turn}].click()"
        ));
        check(shown, &format!("turn {}", turn + 1));
    }
    run("document.querySelector('[data-candidate=\"1\"] .move').click()");
    check(shown, "a candidate");
    run("document.querySelector('[data-reply], [data-line]')?.click()");
    check(shown, "a reply");
    run("document.querySelectorAll('.choice button')[1].click()");
    check(shown, "the spread");
    run("document.querySelector('[data-find]').click()");
    check(shown, "a question");
    run("document.querySelector('#typed').value = 'nothing'; \
         document.querySelector('.typing button').click()");
    check(shown, "a problem");
    run("document.querySelector('[data-choice]').click()");
    check(shown, "a choice");
    run("document.querySelector('#check').click()");
    check(shown, "an answer");
}

pub fn a_game_has_the_contrast_of_wcag_aa() {
    let document = samples::game();
    visit_states(&Shown::game(&document), &document, assert_contrast);
}

pub fn a_large_game_has_the_contrast_of_wcag_aa() {
    let document = samples::large_game();
    visit_states(&Shown::game(&document), &document, assert_contrast);
}

pub fn the_index_has_the_contrast_of_wcag_aa() {
    let shown = Shown::index(&samples::index());
    shown
        .browser
        .run("document.querySelectorAll('details').forEach((it) => { it.open = true; })")
        .unwrap();
    assert_contrast(&shown, "the index");
}

pub fn the_test_of_contrast_finds_low_contrast() {
    let shown = Shown::game(&samples::game());
    shown
        .browser
        .run("document.querySelector('h1').style.color = '#ccc'")
        .unwrap();
    let result = shown.browser.run(LOW_CONTRAST).unwrap();
    assert_eq!(result[1].as_array().unwrap().len(), 1, "{result}");
}

pub fn no_page_scrolls_sideways_on_a_phone() {
    for document in [
        samples::game(),
        samples::large_game(),
        samples::hostile_game(),
    ] {
        let shown = Shown::game(&document);
        shown.browser.resize(PHONE, 800).unwrap();
        visit_states(&shown, &document, assert_narrow);
    }
    for index in [samples::index(), samples::hostile_index()] {
        let shown = Shown::index(&index);
        shown.browser.resize(PHONE, 800).unwrap();
        shown
            .browser
            .run("document.querySelectorAll('details').forEach((it) => { it.open = true; })")
            .unwrap();
        assert_narrow(&shown, "the index");
    }
}

pub fn no_page_scrolls_sideways_on_any_screen() {
    for document in [samples::game(), samples::large_game()] {
        let shown = Shown::game(&document);
        for width in [320, 600, 768, 1000, 1024, 1130, 1200, 1280, 1920] {
            shown.browser.resize(width, 800).unwrap();
            assert_narrow(&shown, &format!("{width} pixels"));
        }
    }
}

pub fn the_button_switches_between_light_and_dark() {
    let shown = Shown::game(&samples::game());
    shown.browser.prefer("light").unwrap();
    let back = "getComputedStyle(document.body).backgroundColor";
    let light = shown.text_of(back);
    shown.click("#theme");
    let dark = shown.text_of(back);
    assert_ne!(light, dark);
    shown.browser.prefer("dark").unwrap();
    assert_eq!(shown.text_of(back), dark);
    shown.click("#theme");
    assert_eq!(shown.text_of(back), light);
}
