// Applies the colours that were chosen on this device before the first paint, so it is not a module, which would run later.
try {
  const chosen = localStorage.getItem('numera.colours')
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['colours'] = chosen
} catch {
  // Storage is blocked for this site: the system's colours apply.
}
