/* Runs before the first paint, so that no page flashes in the wrong light. The choice is light, dark or auto. */
(() => {
  const KEY = 'shutong.theme';
  const PAPER = { light: '#f7f3ea', dark: '#14181d' };
  const night = matchMedia('(prefers-color-scheme: dark)');

  const choice = () => {
    try {
      return localStorage.getItem(KEY) ?? 'auto';
    } catch {
      return 'auto';
    }
  };

  const apply = () => {
    const chosen = choice();
    const theme = chosen === 'light' || chosen === 'dark' ? chosen : night.matches ? 'dark' : 'light';
    document.documentElement.dataset.theme = theme;
    document.querySelector('meta[name=theme-color]')?.setAttribute('content', PAPER[theme]);
  };

  apply();
  night.addEventListener('change', apply);
  addEventListener('storage', (event) => event.key === KEY && apply());
  document.addEventListener('shutong:theme', apply);
})();
