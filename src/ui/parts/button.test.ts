import { X } from 'lucide-react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { IconButton } from './button.tsx';

test('a button with nothing left to do says so, does nothing and can keep the focus', () => {
  const drawn = (idle: boolean) => renderToStaticMarkup(createElement(IconButton, { label: 'Next', icon: X, idle }));
  expect(drawn(true)).toContain('aria-disabled="true"');
  expect(drawn(true)).not.toContain('disabled=""');
  expect(drawn(false)).not.toContain('disabled');
  const pressed = (idle: boolean) =>
    IconButton({ label: 'Next', icon: X, idle, onClick: () => undefined }).props.children;
  expect(pressed(true).props.onClick).toBeUndefined();
  expect(pressed(false).props.onClick).toBeDefined();
});
