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
