import { Drama, Settings2 } from 'lucide-react';
import { chosenPersona } from '../../app/persona.ts';
import { useActions, useApp } from '../app-context.ts';
import { Button } from '../parts/button.tsx';
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../parts/menu.tsx';
import styles from './composer.module.css';

/** Chooses the persona that answers in a conversation that has not started. */
export const PersonaMenu = () => {
  const { choosePersona, session } = useActions();
  const personas = useApp((state) => state.personas);
  const chosen = chosenPersona(personas);
  const name = chosen.name || 'Untitled persona';
  return (
    <Menu
      side="top"
      label="Persona"
      trigger={
        <Button look="quiet" className={styles.settings ?? ''} aria-label={`Persona: ${name}`}>
          <Drama size={15} strokeWidth={1.8} aria-hidden />
          <span>{name}</span>
        </Button>
      }
    >
      {personas.all.map((persona) => (
        <MenuChoice key={persona.id} chosen={persona.id === chosen.id} onChoose={() => void choosePersona(persona.id)}>
          {persona.name || 'Untitled persona'}
        </MenuChoice>
      ))}
      <MenuSeparator />
      <MenuItem icon={<Settings2 size={14} aria-hidden />} onSelect={() => session({ dialog: 'personas' })}>
        Personas…
      </MenuItem>
    </Menu>
  );
};
