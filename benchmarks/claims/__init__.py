"""What the subject ``memory`` measures with: claims like an organisation's, and the plain way to search them."""
