// A part of the page that is fetched when it is first shown; where it cannot be fetched, a sentence and a way to try again.
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { strings } from '../strings';
import { Button } from './parts';

export const lazy = <P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> => {
  let loaded: ComponentType<P> | null = null;
  return (props: P) => {
    const [status, setStatus] = useState<'loading' | 'loaded' | 'failed'>(loaded ? 'loaded' : 'loading');
    useEffect(() => {
      if (status !== 'loading') return undefined;
      let shown = true;
      const change = (status: 'loaded' | 'failed') => shown && setStatus(status);
      load().then(
        (component) => {
          loaded = component;
          change('loaded');
        },
        () => change('failed'),
      );
      return () => {
        shown = false;
      };
    }, [status]);
    const Component = loaded;
    if (Component) return <Component {...props} />;
    if (status !== 'failed') return null;
    return (
      <div class="panel part-missing" role="alert">
        <p>{strings.problems.partMissing}</p>
        <Button text label={strings.problems.again} onClick={() => setStatus('loading')} />
      </div>
    );
  };
};
