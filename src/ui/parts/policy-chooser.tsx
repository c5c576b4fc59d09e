import { ChevronDown } from 'lucide-react';
import { Fragment } from 'react';
import { useActions } from '../app-context.ts';
import { Button } from './button.tsx';
import { FEWEST, MOST, useComparedPolicies } from './compared-policies.ts';
import { Menu, MenuCheck, MenuHeading, MenuSeparator } from './menu.tsx';
import { POLICY_GROUPS } from './policy-words.ts';

/** Chooses the policies that contexts are compared by, for as long as the page is open. `sent` is always among them. */
export const PolicyChooser = ({ sent = null }: { sent?: string | null }) => {
  const { session } = useActions();
  const names = useComparedPolicies(sent);
  const change = (name: string, on: boolean) =>
    session({ compared: on ? [...names, name] : names.filter((one) => one !== name) });
  return (
    <Menu
      label="Policies to compare"
      trigger={
        <Button size="small" aria-label={`${names.length} policies to compare`}>
          {names.length} policies
          <ChevronDown size={14} aria-hidden />
        </Button>
      }
    >
      {POLICY_GROUPS.map((group, at) => (
        <Fragment key={group.title}>
          {at > 0 && <MenuSeparator />}
          <MenuHeading>{group.title}</MenuHeading>
          {group.names.map((name) => {
            const on = names.includes(name);
            return (
              <MenuCheck
                key={name}
                on={on}
                disabled={name === sent || (on ? names.length <= FEWEST : names.length >= MOST)}
                onChange={(next) => change(name, next)}
                {...(name === sent && { detail: 'sent' })}
              >
                {name}
              </MenuCheck>
            );
          })}
        </Fragment>
      ))}
      <MenuHeading>
        From {FEWEST} to {MOST} at once.
      </MenuHeading>
    </Menu>
  );
};
