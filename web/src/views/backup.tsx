// Games, studies and settings as one file: only in a page without a server, where the browser alone keeps them.
import { useState } from 'preact/hooks';
import { exportAll, importAll } from '../site/backup';
import { strings } from '../strings';

const save = async (): Promise<void> => {
  const address = URL.createObjectURL(new Blob([await exportAll()], { type: 'application/json' }));
  const name = `tabiya-${new Date().toISOString().slice(0, 10)}.json`;
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
};

export const Backup = () => {
  const [said, say] = useState('');
  const read = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    const count = await importAll(await file.text()).catch(() => null);
    say(count === null ? strings.site.notLoaded : strings.site.loaded(count));
    // The session reads its files when it starts.
    if (count !== null) setTimeout(() => location.reload(), 1200);
  };
  return (
    <fieldset class="choice">
      <legend>{strings.site.keep}</legend>
      <div>
        <button type="button" class="button" onClick={() => void save()}>
          {strings.site.save}
        </button>
        <label class="button file">
          {strings.site.load}
          <input type="file" accept="application/json,.json" onChange={(event) => void read(event.currentTarget.files?.[0])} />
        </label>
      </div>
      <p class="soft" role="status">
        {said}
      </p>
    </fieldset>
  );
};
