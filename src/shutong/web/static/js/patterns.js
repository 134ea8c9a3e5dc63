/* The patterns of drawn covers. Each takes a source of chance and gives shapes for a cover of 120 by 170. */
import { svg } from './dom.js';

export const WIDTH = 120;
export const HEIGHT = 170;

const line = (d, width = 1.2, opacity = 0.3) =>
  svg('path', { d, fill: 'none', stroke: 'currentColor', 'stroke-width': width, 'stroke-opacity': opacity });
const area = (d, opacity = 0.16) => svg('path', { d, fill: 'currentColor', 'fill-opacity': opacity });
const ring = (cx, cy, r, opacity = 0.3) =>
  svg('circle', { cx, cy, r, fill: 'none', stroke: 'currentColor', 'stroke-width': 1.2, 'stroke-opacity': opacity });
const disc = (cx, cy, r, opacity = 0.2) => svg('circle', { cx, cy, r, fill: 'currentColor', 'fill-opacity': opacity });
const range = (count) => Array.from({ length: count }, (_, index) => index);

function rings(chance) {
  const x = 78 + chance(40);
  const y = 138 + chance(26);
  return range(6).map((n) => ring(x, y, 14 + n * 13));
}

function bands(chance) {
  const gap = 11 + chance(5);
  return range(4).map((n) => area(`M0 ${104 + n * gap}h${WIDTH}v${3 + n * 1.6}H0z`, 0.24));
}

function diagonals(chance) {
  const slope = 54 + chance(30);
  return [area(`M0 ${HEIGHT}L${WIDTH} ${HEIGHT - slope}V${HEIGHT}z`, 0.2), area(`M0 ${150 - slope / 4}L${WIDTH} ${150 - slope * 1.25}v22L0 ${172 - slope / 4}z`, 0.13)];
}

function dots(chance) {
  const step = 13 + chance(3);
  return range(35).map((n) => disc(14 + (n % 7) * 15.4, 102 + Math.floor(n / 7) * step, 1.4 + (Math.floor(n / 7) * 0.7), 0.26));
}

function grid(chance) {
  const step = 14 + chance(5);
  const across = range(Math.ceil(70 / step)).map((n) => `M0 ${104 + n * step}H${WIDTH}`);
  const down = range(Math.ceil(WIDTH / step)).map((n) => `M${6 + n * step} 96V${HEIGHT}`);
  const filled = area(`M${6 + step * 3} ${104 + step}h${step}v${step}h-${step}z`, 0.34);
  return [line([...across, ...down].join(''), 0.9, 0.26), filled];
}

function waves(chance) {
  const lift = 6 + chance(4);
  const wave = (y) => `M-6 ${y}q15 -${lift} 30 0t30 0t30 0t30 0t30 0`;
  return range(6).map((n) => line(wave(104 + n * 12), 1.3, 0.34));
}

function sun(chance) {
  const x = 40 + chance(42);
  return [disc(x, 118, 23, 0.3), area(`M0 138q30 -11 60 -3t60 -5v40H0z`, 0.2), area(`M0 152q40 -10 70 -2t50 -3v23H0z`, 0.16)];
}

function hills(chance) {
  const peak = 90 + chance(14);
  return [area(`M0 ${HEIGHT}V142L34 ${peak + 16}l26 28 22 -40 38 44V${HEIGHT}z`, 0.2), area(`M0 ${HEIGHT}v-18l44 -24 36 20 40 -26v48z`, 0.16), disc(104, 100, 6, 0.4)];
}

function leaves(chance) {
  const lean = chance(14) - 7;
  const leaf = (y, side) => `M60 ${y}q${side * 17} -17 ${side * 34} -11q${side * -8} 18 ${side * -34} 11z`;
  const stem = line(`M60 ${HEIGHT}Q${60 + lean} 130 60 90`, 1.2, 0.4);
  return [stem, ...range(4).flatMap((n) => [area(leaf(158 - n * 17, 1), 0.22), area(leaf(150 - n * 17, -1), 0.22)])];
}

function arches(chance) {
  const count = 3 + Math.floor(chance(2));
  const step = WIDTH / count;
  return range(count).flatMap((n) => {
    const left = n * step + 5;
    const half = (step - 10) / 2;
    return [area(`M${left} ${HEIGHT}V${118 + half}a${half} ${half} 0 0 1 ${half * 2} 0V${HEIGHT}z`, n % 2 ? 0.14 : 0.24)];
  });
}

function tiles(chance) {
  const turn = Math.floor(chance(4));
  return range(24).map((n) => {
    const x = (n % 6) * 20;
    const y = 92 + Math.floor(n / 6) * 20;
    const quarter = (n * 7 + turn * 3 + Math.floor(n / 6)) % 4;
    const d = ['M0 0h20A20 20 0 0 1 0 20z', 'M0 0h20v20A20 20 0 0 1 0 0z', 'M20 0v20H0A20 20 0 0 1 20 0z', 'M0 0A20 20 0 0 1 20 20H0z'][quarter];
    return svg('path', { d, transform: `translate(${x} ${y})`, fill: 'currentColor', 'fill-opacity': n % 3 ? 0.14 : 0.24 });
  });
}

/** Patterns that fill the lower part, under a title at the top. */
export const PATTERNS = [rings, bands, diagonals, dots, grid, waves, sun, hills, leaves, arches, tiles];
