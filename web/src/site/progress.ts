// At the foot of the page: a bar while the model of people is loaded, and sentences that stay.
import { strings } from '../strings';

const foot = (): HTMLElement => {
  const there = document.querySelector<HTMLElement>('.site-foot');
  if (there) return there;
  const made = document.createElement('div');
  made.className = 'site-foot';
  document.body.append(made);
  return made;
};

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
    foot().append(box);
  }
  const bar = box.querySelector('progress')!;
  if (total > 0) {
    bar.max = total;
    bar.value = loaded;
  }
};

/// A sentence that stays until it is closed. It replaces an earlier one about the same subject.
export const showWarning = (subject: string, what: string, next: string): void => {
  document.querySelector(`.site-warning[data-subject=${subject}]`)?.remove();
  const warning = document.createElement('div');
  warning.className = 'site-progress site-warning';
  warning.dataset['subject'] = subject;
  warning.setAttribute('role', 'alert');
  const close = document.createElement('button');
  close.textContent = '×';
  close.setAttribute('aria-label', strings.close);
  close.onclick = () => warning.remove();
  warning.append(`${what} ${next} `, close);
  foot().append(warning);
};
