"""Foreign agents: programs of any language, in processes of their own."""
