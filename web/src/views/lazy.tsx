// A part of the page that is fetched when it is first shown.
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

export const lazy = <P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> => {
  let loaded: ComponentType<P> | null = null;
  return (props: P) => {
    const [, show] = useState(false);
    useEffect(() => {
      if (loaded) return;
      void load().then((component) => {
        loaded = component;
        show(true);
      });
    }, []);
    const Component = loaded;
    return Component ? <Component {...props} /> : null;
  };
};
