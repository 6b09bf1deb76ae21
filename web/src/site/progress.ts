// A bar while the model of people is loaded.
import { strings } from '../strings';

let box: HTMLElement | null = null;

export const showProgress = (loaded: number, total: number): void => {
  if (total > 0 && loaded >= total) {
    box?.remove();
    box = null;
    return;
  }
  if (!box) {
    box = document.createElement('div');
    box.className = 'site-progress';
    box.setAttribute('role', 'status');
    const label = document.createElement('label');
    label.append(strings.site.loadingPeople, document.createElement('progress'));
    box.append(label);
    document.body.append(box);
  }
  const bar = box.querySelector('progress')!;
  if (total > 0) {
    bar.max = total;
    bar.value = loaded;
  }
};

/// A sentence that stays until it is closed: what it says holds for everything that follows.
export const showWarning = (what: string, next: string): void => {
  document.querySelector('.site-warning')?.remove();
  const warning = document.createElement('div');
  warning.className = 'site-progress site-warning';
  warning.setAttribute('role', 'alert');
  const close = document.createElement('button');
  close.textContent = '×';
  close.setAttribute('aria-label', strings.close);
  close.onclick = () => warning.remove();
  warning.append(`${what} ${next} `, close);
  document.body.append(warning);
};
