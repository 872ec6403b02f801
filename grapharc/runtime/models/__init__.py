"""The models that play roles: a specification of ``backend/model`` goes in, a LangChain chat model comes out."""
