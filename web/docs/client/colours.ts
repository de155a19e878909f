// Before anything is painted: the colours that were chosen on this device, in the side of the company's pages or here.
// Not a module, which would come after the first paint.
try {
  const chosen = localStorage.getItem('numera.colours')
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['colours'] = chosen
} catch {
  // A browser that stores nothing for this site throws; then the system's colours hold.
}
