import { ChevronDown } from 'lucide-react';
import { Popover } from 'radix-ui';
import { ALL_POLICIES } from '../../engine/context/policies/policies.ts';
import { Button } from '../../ui/parts/button.tsx';
import { Swatch } from '../../ui/parts/charts/plot.tsx';
import { ABOUT_POLICY, POLICY_GROUPS, policyLook } from '../../ui/parts/policies.tsx';
import styles from './choose-policies.module.css';
import { type CompareRun, FEWEST, MOST } from './compare-run.ts';
import { useCompare } from './use-compare.ts';

/** Chooses what is compared, with a line on each of all that there are. */
export const ChoosePolicies = ({ run }: { run: CompareRun }) => {
  const names = useCompare(run, (state) => state.names);
  const change = (name: string, on: boolean) => {
    const wanted = on ? [...names, name] : names.filter((one) => one !== name);
    run.choose(ALL_POLICIES.map((policy) => policy.name).filter((one) => wanted.includes(one)));
  };
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <Button aria-label={`Choose policies, ${names.length} chosen`}>
          Choose policies
          <ChevronDown size={14} aria-hidden />
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className={styles.choice}
          align="end"
          sideOffset={6}
          collisionPadding={8}
          aria-label="Policies to compare"
        >
          <p className={styles.rule}>
            {names.length >= MOST
              ? `${MOST} are chosen, which is all that can be read at once: take one away to choose another.`
              : `Choose ${FEWEST} to ${MOST}; ${names.length} are chosen.`}
          </p>
          {POLICY_GROUPS.map((group) => (
            <fieldset key={group.title} className={styles.group}>
              <legend>{group.title}</legend>
              {group.names.map((name) => {
                const on = names.includes(name);
                return (
                  <label key={name} className={styles.policy}>
                    <input
                      type="checkbox"
                      checked={on}
                      disabled={on ? names.length <= FEWEST : names.length >= MOST}
                      aria-label={name}
                      aria-describedby={`about-${name}`}
                      onChange={({ target }) => change(name, target.checked)}
                    />
                    <span className={styles.name}>
                      {name} <Swatch {...policyLook(name)} />
                    </span>
                    <span id={`about-${name}`} className={styles.about}>
                      {ABOUT_POLICY[name]}
                    </span>
                  </label>
                );
              })}
            </fieldset>
          ))}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
};
