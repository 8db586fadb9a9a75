/** A length of time: `8 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`. */
export function duration(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) {
    return `${whole} s`;
  }
  const parts = [
    [Math.floor(whole / 86_400), 'd'],
    [Math.floor(whole / 3_600) % 24, 'h'],
    [Math.floor(whole / 60) % 60, 'min'],
    [whole % 60, 's'],
  ];
  const first = parts.findIndex(([amount]) => amount > 0);
  return parts
    .slice(first, first + 2)
    .filter(([amount]) => amount > 0)
    .map(([amount, unit]) => `${amount} ${unit}`)
    .join(' ');
}

export function bytes(count) {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = count;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1_000;
    unit++;
  }
  return `${unit === 0 || value >= 99.95 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

export function number(value) {
  return Math.round(value).toLocaleString('en-GB').replaceAll(',', '\u202f');
}

export function share(value) {
  return `${Math.floor(Math.min(1, Math.max(0, value)) * 100)}\u202f%`;
}

export function count(amount, thing) {
  return `${number(amount)} ${thing}${amount === 1 ? '' : 's'}`;
}

/** A time of day, with the day if that is not today. */
export function clock(instant) {
  const time = new Date(instant);
  const sameDay = time.toDateString() === new Date().toDateString();
  return time.toLocaleString('en-GB', {
    ...(sameDay ? {} : { day: 'numeric', month: 'short' }),
    hour: '2-digit',
    minute: '2-digit',
  });
}

/** Devices in the order that people count in: cpu:2 before cpu:10. */
export function byLabel(devices) {
  return [...devices].sort((a, b) => a.label.localeCompare(b.label, 'en', { numeric: true }));
}
